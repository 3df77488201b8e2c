// A simulated multicomputer with a prescribed and, if wanted, disturbed truth: a platform that SimGrid
// loads in place of an XML file. From the environment:
//
//   BED_TRUTH       lo:t0_us:rinf_mb_per_s,...   the time of a message of n bytes in the region that
//                   begins at lo bytes is t0 + n / rinf; rinf at most 1000
//   BED_HOSTS       how many hosts there are: n0, n1, ... on a star
//   BED_NOISE_US    mean of exponential noise on every message; 0: none
//   BED_SPIKE       share:us, how often a message is late and by how much
//   BED_SEED        of noise and spikes
//
// SMPI adds an envelope of 16 bytes to every message.
#include <cstdio>
#include <cstdlib>
#include <random>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;

namespace {

constexpr double link_mb_per_s = 1000, link_latency_us = 10, envelope_bytes = 16;

struct Region {
    double from_bytes, t0_us, rinf;
};

std::string environment(const char *name, const char *otherwise)
{
    const char *text = std::getenv(name);
    return text ? text : otherwise;
}

std::vector<Region> truth()
{
    std::vector<Region> regions;
    const std::string text = environment("BED_TRUTH", "0:5:200");
    for (size_t at = 0; at < text.size(); at = text.find(',', at) == std::string::npos ? text.size() : text.find(',', at) + 1) {
        Region region;
        if (std::sscanf(text.c_str() + at, "%lf:%lf:%lf", &region.from_bytes, &region.t0_us, &region.rinf) != 3)
            std::exit(2);
        regions.push_back(region);
    }
    return regions;
}

const Region &region_of(const std::vector<Region> &regions, double size)
{
    size_t k = regions.size() - 1;
    while (k > 0 && size - envelope_bytes < regions[k].from_bytes)
        k--;
    return regions[k];
}

// Seeded noise: the same run gives the same table.
class Disturbance {
    std::mt19937 random{static_cast<unsigned>(std::atoi(environment("BED_SEED", "1").c_str()))};
    double noise_us = std::atof(environment("BED_NOISE_US", "0").c_str());
    double share = 0, spike_us = 0;

  public:
    Disturbance() { std::sscanf(environment("BED_SPIKE", "0:0").c_str(), "%lf:%lf", &share, &spike_us); }
    double next_us()
    {
        double late_us = noise_us > 0 ? std::exponential_distribution<>(1 / noise_us)(random) : 0;
        if (share > 0 && std::uniform_real_distribution<>()(random) < share)
            late_us += spike_us;
        return late_us;
    }
};

void add_hosts(sg4::NetZone *star)
{
    const int hosts = std::atoi(environment("BED_HOSTS", "2").c_str());
    for (int i = 0; i < hosts; i++) {
        const std::string name = "n" + std::to_string(i);
        const sg4::Host *host = star->create_host(name, 1e9);
        const sg4::Link *link = star->create_split_duplex_link("link-" + name, link_mb_per_s * 1e6)
                                    ->set_latency(link_latency_us * 1e-6)
                                    ->seal();
        star->add_route(host->get_netpoint(), nullptr, nullptr, nullptr,
                        {{link, sg4::LinkInRoute::Direction::UP}}, true);
    }
}

} // namespace

extern "C" void load_platform(const sg4::Engine &);

void load_platform(const sg4::Engine &)
{
    static const std::vector<Region> regions = truth();
    static Disturbance disturbance;
    auto *star = sg4::create_star_zone("star");
    add_hosts(star);
    star->seal();
    auto *network = star->get_network_model();
    network->set_lat_factor_cb([](double size, const sg4::Host *, const sg4::Host *, const std::vector<sg4::Link *> &,
                                  const std::unordered_set<sg4::NetZone *> &) {
        const Region &region = region_of(regions, size);
        return (region.t0_us - envelope_bytes / region.rinf + disturbance.next_us()) / (2 * link_latency_us);
    });
    network->set_bw_factor_cb([](double size, const sg4::Host *, const sg4::Host *, const std::vector<sg4::Link *> &,
                                 const std::unordered_set<sg4::NetZone *> &) {
        return region_of(regions, size).rinf / link_mb_per_s;
    });
}
