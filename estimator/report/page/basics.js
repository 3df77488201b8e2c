/* What the page's pictures are made with. The data stand in the page; all texts are set as text,
   never as markup. */
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const COLOURS = 8;
const colour = (i) => "var(--c" + (i % COLOURS) + ")";
const tip = d3.select("body").append("div").attr("id", "tip").attr("role", "tooltip")
  .attr("hidden", "");

/* Five significant digits, as the program prints them. */
function number(value) {
  if (value === null || value === undefined || !isFinite(value)) return "-";
  return String(Number(value.toPrecision(5)));
}
const micro = (value) => (value === null ? "-" : number(value) + " \u00b5s");
const bytes = (n) => (n >= 1048576 && n % 1048576 === 0 ? n / 1048576 + " MiB"
  : n >= 1024 && n % 1024 === 0 ? n / 1024 + " KiB" : number(n) + " B");
const plain = (n) => (n >= 1e6 || n < 1e-3 ? number(n) : String(+n.toPrecision(6)));

/* Shows a text beside what is pointed at, or has the focus. */
function explain(selection, text) {
  selection.attr("tabindex", 0).attr("role", "img").attr("aria-label", text)
    .on("mouseenter focus", function (d) {
      const box = this.getBoundingClientRect();
      const own = text.call(this, d);
      tip.text(own).attr("hidden", null);
      const size = tip.node().getBoundingClientRect();
      const left = Math.min(box.left, window.innerWidth - size.width - 8);
      const below = box.bottom + 6 + size.height < window.innerHeight;
      tip.style("left", Math.max(8, left) + "px")
        .style("top", (below ? box.bottom + 6 : Math.max(8, box.top - size.height - 6)) + "px");
    })
    .on("mouseleave blur", () => tip.attr("hidden", ""));
}
d3.select(document).on("keydown", () => {
  if (d3.event.key === "Escape") tip.attr("hidden", "");
});

function figure(parent, title) {
  const it = parent.append("figure");
  it.append("h3").text(title);
  return it;
}

function drawing(parent, width, height, label) {
  return parent.append("svg").attr("viewBox", "0 0 " + width + " " + height)
    .attr("role", "group").attr("aria-label", label);
}

function legend(parent, entries) {
  const items = parent.append("ul").attr("class", "legend").selectAll("li").data(entries).enter()
    .append("li");
  items.append("i").attr("class", (d) => d.light ? "light" : null)
    .style("background", (d) => d.colour);
  items.append("span").text((d) => d.name);
}

/* ---- charts on two logarithmic or linear axes, with zoom ---- */

/* On a narrow screen a drawing is narrow too, so that its words stay as large. */
const WIDTH = Math.max(340, Math.min(640, document.body.clientWidth - 24));
const CHART = { width: WIDTH, height: 360, left: 84, right: 14, top: 10, bottom: 44 };

function scaleOf(log, values, range) {
  const good = values.filter((v) => v !== null && isFinite(v) && (!log || v > 0));
  let low = d3.min(good), high = d3.max(good);
  if (low === undefined) { low = 1; high = 10; }
  const room = log ? (high / low) ** 0.03 : (high - low) * 0.03;
  if (low === high) { low = log ? low / 2 : low - 1; high = log ? high * 2 : high + 1; }
  else { low = log ? low / room : low - room; high = log ? high * room : high + room; }
  return (log ? d3.scaleLog() : d3.scaleLinear()).domain([low, high]).range(range);
}

/* Bytes are told apart by powers of two, all else by 1, 2 and 5. */
function ticks(axis, scale, log, label) {
  if (!log) return axis.ticks(6).tickFormat(label);
  const [low, high] = scale.domain();
  if (label === bytes) {
    const step = Math.max(1, Math.ceil(Math.log2(high / low) / 6));
    const first = Math.ceil(Math.log2(low) / step - 1e-9) * step;
    return axis.tickValues(d3.range(first, Math.log2(high) + 1e-9, step).map((k) => 2 ** k))
      .tickFormat(label);
  }
  const decades = Math.log10(high / low);
  return axis.ticks(6).tickFormat((d) => {
    const digit = Math.round(d / Math.pow(10, Math.floor(Math.log10(d) + 1e-9)));
    return digit === 1 || (decades < 4 && (digit === 2 || digit === 5)) ? label(d) : "";
  });
}

/* A chart in which `draw(plot, x, y)` puts its marks, again after every zoom. */
function chart(parent, what) {
  const { width, height, left, right, top, bottom } = CHART;
  const svg = drawing(parent, width, height, what.label);
  const x0 = scaleOf(what.xLog, what.xs, [left, width - right]);
  const y0 = scaleOf(what.yLog, what.ys, [height - bottom, top]);
  const clip = "clip" + (chart.count = (chart.count || 0) + 1);
  svg.append("clipPath").attr("id", clip).append("rect").attr("x", left).attr("y", top)
    .attr("width", width - left - right).attr("height", height - top - bottom);
  const gx = svg.append("g").attr("class", "axis")
    .attr("transform", "translate(0," + (height - bottom) + ")");
  const gy = svg.append("g").attr("class", "axis").attr("transform", "translate(" + left + ",0)");
  svg.append("text").attr("x", (left + width - right) / 2).attr("y", height - 6)
    .attr("text-anchor", "middle").text(what.xTitle);
  svg.append("text").attr("transform", "translate(14," + (top + height - bottom) / 2 +
    ") rotate(-90)").attr("text-anchor", "middle").text(what.yTitle);
  const plot = svg.append("g").attr("clip-path", "url(#" + clip + ")");
  function redraw(x, y) {
    const across = ticks(d3.axisBottom(x), x, what.xLog, what.xText || plain);
    gx.call(what.xTicks ? across.tickValues(what.xTicks).tickFormat(plain) : across);
    gy.call(ticks(d3.axisLeft(y), y, what.yLog, plain));
    plot.selectAll("*").remove();
    what.draw(plot, x, y);
  }
  redraw(x0, y0);
  if (what.zoom) addZoom(parent, svg, x0, y0, redraw);
}

function addZoom(parent, svg, x0, y0, redraw) {
  const zoom = d3.zoom().scaleExtent([1, 200])
    .translateExtent([[0, 0], [CHART.width, CHART.height]])
    .filter(() => !d3.event.button && (d3.event.type !== "wheel" || d3.event.ctrlKey))
    .on("zoom", () => {
      const t = d3.event.transform;
      redraw(t.rescaleX(x0), t.rescaleY(y0));
    });
  svg.call(zoom).on("dblclick.zoom", null);
  const tools = parent.append("div").attr("class", "tools");
  const button = (text, act) => tools.append("button").attr("type", "button").text(text)
    .on("click", act);
  button("Zoom in", () => svg.call(zoom.scaleBy, 2));
  button("Zoom out", () => svg.call(zoom.scaleBy, 0.5));
  button("\u2190", () => svg.call(zoom.translateBy, 80, 0)).attr("aria-label", "Move left");
  button("\u2192", () => svg.call(zoom.translateBy, -80, 0)).attr("aria-label", "Move right");
  button("\u2191", () => svg.call(zoom.translateBy, 0, 60)).attr("aria-label", "Move up");
  button("\u2193", () => svg.call(zoom.translateBy, 0, -60)).attr("aria-label", "Move down");
  button("All", () => svg.call(zoom.transform, d3.zoomIdentity));
  tools.append("span").attr("class", "note").text("drag to move, Ctrl and wheel to zoom");
}
