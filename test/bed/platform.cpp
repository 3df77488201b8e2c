// A simulated multicomputer with a prescribed and, if wanted, disturbed truth: a platform that SimGrid
// loads in place of an XML file. From the environment:
//
//   BED_TRUTH       lo:t0_us:rinf_mb_per_s,...   the time of a message of n bytes in the region that
//                   begins at lo bytes is t0 + n / rinf; rinf at most that of links
//   BED_LINK        MB/s of each link, 1000 if not set: messages of n bytes follow each other no faster
//                   than (n + 16) / link, one after the other
//   BED_TRUTH_FAR   the same between hosts of different groups; none: all are alike
//   BED_GROUP       how many hosts a group has: n0, n1, ... are the first
//   BED_BUS         1: every message passes one link that all share
//   BED_HOSTS       how many hosts there are: n0, n1, ... on a star
//   BED_NOISE_US    mean of exponential noise on every message; 0: none
//   BED_SPIKE       share:us, how often a message is late and by how much
//   BED_SEED        of noise and spikes
//   BED_WORK        law:us[:share]: how much longer each computation (a sleep) takes; exponential: of
//                   that mean; uniform: up to so much; spike: so much, of so large a share of them
//
// SMPI adds an envelope of 16 bytes to every message.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <random>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;

namespace {

constexpr double link_latency_us = 10, envelope_bytes = 16;

struct Region {
    double from_bytes, t0_us, rinf;
};

std::string environment(const char *name, const char *otherwise)
{
    const char *text = std::getenv(name);
    return text ? text : otherwise;
}

double link_mb_per_s()
{
    return std::atof(environment("BED_LINK", "1000").c_str());
}

std::vector<Region> truth(const char *name, const char *otherwise)
{
    std::vector<Region> regions;
    const std::string text = environment(name, otherwise);
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

// The hosts' numbers are in their names.
bool are_far(const sg4::Host *a, const sg4::Host *b)
{
    static const int group = std::atoi(environment("BED_GROUP", "1000000").c_str());
    return std::stoi(a->get_name().substr(1)) / group != std::stoi(b->get_name().substr(1)) / group;
}

void add_hosts(sg4::NetZone *star)
{
    const bool has_bus = environment("BED_BUS", "0") == "1";
    const sg4::Link *bus = has_bus ? star->create_link("bus", link_mb_per_s() * 1e6)->set_latency(0)->seal() : nullptr;
    const int hosts = std::atoi(environment("BED_HOSTS", "2").c_str());
    for (int i = 0; i < hosts; i++) {
        const std::string name = "n" + std::to_string(i);
        const sg4::Host *host = star->create_host(name, 1e9);
        const sg4::Link *link = star->create_split_duplex_link("link-" + name, link_mb_per_s() * 1e6)
                                    ->set_latency(link_latency_us * 1e-6)
                                    ->set_concurrency_limit(std::getenv("BED_LINK") ? 1 : -1)
                                    ->seal();
        std::vector<sg4::LinkInRoute> up{{link, sg4::LinkInRoute::Direction::UP}};
        if (bus)
            up.emplace_back(bus);
        star->add_route(host->get_netpoint(), nullptr, nullptr, nullptr, up, false);
        star->add_route(nullptr, host->get_netpoint(), nullptr, nullptr, {{link, sg4::LinkInRoute::Direction::DOWN}}, false);
    }
}

} // namespace

// The simulator reads the thread's own time at every call of MPI, to simulate what lay between two of
// them; the bed lets computation take none (simulate-computation:no), and the reading, which asks the
// system, would be a quarter of a simulation. bed.sh loads this before the simulator.
extern "C" int clock_gettime(clockid_t clock, timespec *now) noexcept
{
    using function = int(clockid_t, timespec *);
    static auto *const real = reinterpret_cast<function *>(dlsym(RTLD_NEXT, "clock_gettime"));
    if (clock != CLOCK_THREAD_CPUTIME_ID)
        return real(clock, now);
    *now = {};
    return 0;
}

// Computation that takes longer now and then: programs and the trainer sleep for it. What the simulator
// itself sleeps for, in MPI_Test, is shorter than a microsecond.
namespace simgrid::s4u::this_actor {
void sleep_for(double wanted_s)
{
    using function = void(double);
    static auto *const real = reinterpret_cast<function *>(dlsym(RTLD_NEXT, "_ZN7simgrid3s4u10this_actor9sleep_forEd"));
    static std::mt19937 random{static_cast<unsigned>(std::atoi(environment("BED_SEED", "1").c_str()))};
    static const std::string noise = environment("BED_WORK", "");
    char law[20] = "";
    double us = 0, share = 1, late_us = 0;
    std::sscanf(noise.c_str(), "%19[a-z]:%lf:%lf", law, &us, &share);
    if (law == std::string("exponential"))
        late_us = std::exponential_distribution<>(1 / us)(random);
    else if (law == std::string("uniform"))
        late_us = std::uniform_real_distribution<>(0, us)(random);
    else if (law == std::string("spike") && std::uniform_real_distribution<>()(random) < share)
        late_us = us;
    real(wanted_s < 1e-6 ? wanted_s : wanted_s + 1e-6 * late_us);
}
} // namespace simgrid::s4u::this_actor

extern "C" void load_platform(const sg4::Engine &);

void load_platform(const sg4::Engine &)
{
    static const std::vector<Region> near = truth("BED_TRUTH", "0:5:200"), far = truth("BED_TRUTH_FAR", "");
    static const auto between = [](const sg4::Host *a, const sg4::Host *b) -> const std::vector<Region> & {
        return !far.empty() && are_far(a, b) ? far : near;
    };
    static Disturbance disturbance;
    auto *star = sg4::create_star_zone("star");
    add_hosts(star);
    star->seal();
    auto *network = star->get_network_model();
    network->set_lat_factor_cb([](double size, const sg4::Host *from, const sg4::Host *to, const std::vector<sg4::Link *> &,
                                  const std::unordered_set<sg4::NetZone *> &) {
        const Region &region = region_of(between(from, to), size);
        return (region.t0_us - envelope_bytes / region.rinf + disturbance.next_us()) / (2 * link_latency_us);
    });
    network->set_bw_factor_cb([](double size, const sg4::Host *from, const sg4::Host *to, const std::vector<sg4::Link *> &,
                                 const std::unordered_set<sg4::NetZone *> &) {
        return region_of(between(from, to), size).rinf / link_mb_per_s();
    });
}
