/* The program: settings step over the grid's own points, between which nothing was predicted. */

/* ---- the program: settings ---- */

const grid = data.grid;
const axes = grid ? grid.axes : [];
const state = axes.map((axis) => Math.floor(axis.values.length / 2));

function startingState() {
  state[0] = 0;
  axes[1].values.forEach((p, i) => { if (p <= 16) state[1] = i; });
  const given = new URLSearchParams(window.location.hash.slice(1));
  axes.forEach((axis, i) => {
    const at = axis.values.map(String).indexOf(given.get(axis.name));
    if (at >= 0) state[i] = at;
  });
}

function cellAt(at) {
  let index = 0;
  axes.forEach((axis, i) => { index = index * axis.values.length + at[i]; });
  return grid.cells[index];
}

const text = (i) => grid.texts[i];
const setting = () => axes.slice(1).map((axis, i) => axis.name + " = " + axis.values[state[i + 1]])
  .join(", ") + " on " + axes[0].values[state[0]];

function makeSettings() {
  const form = d3.select("#settings");
  axes.forEach((axis, i) => {
    const id = "axis-" + i;
    const box = form.append("div");
    const label = box.append("label").attr("for", id);
    label.append("span").text(axis.name);
    if (i === 0) makeChoice(box, axis, i, id);
    else makeSlider(box, label, axis, i, id);
  });
}

function makeChoice(box, axis, i, id) {
  const select = box.append("select").attr("id", id);
  select.selectAll("option").data(axis.values).enter().append("option")
    .attr("value", (d, k) => k).text((d) => d);
  select.property("value", state[i]).on("change", function () {
    state[i] = +this.value;
    update();
  });
}

function makeSlider(box, label, axis, i, id) {
  const output = label.append("output").attr("for", id);
  const slider = box.append("input").attr("type", "range").attr("id", id).attr("min", 0)
    .attr("max", axis.values.length - 1).attr("step", 1).property("value", state[i])
    .property("disabled", axis.values.length < 2);
  const say = () => {
    output.text(axis.values[state[i]]);
    slider.attr("aria-valuetext", axis.name + " = " + axis.values[state[i]]);
  };
  say();
  slider.on("input", function () {
    state[i] = +this.value;
    say();
    update();
  });
}

/* ---- the program: pictures ---- */

const ROW = 34, NAME = Math.min(130, WIDTH / 3);
const rowsOf = (cell) => cell.rows || [];
const nameOf = (row) => grid.candidates[row.candidate];
const short = (name) => (name.length > 17 ? name.slice(0, 16) + "\u2026" : name);
const TOTAL = 0, LOW = 1, HIGH = 2, COMPUTE = 3, COMMUNICATE = 4, BEST = 5;

function names(svg, rows) {
  svg.selectAll("text.name").data(rows).enter().append("text").attr("class", "name")
    .attr("x", NAME - 8).attr("y", (d, i) => i * ROW + ROW / 2 + 4).attr("text-anchor", "end")
    .text((d) => d.rank + ". " + short(nameOf(d))).append("title").text(nameOf);
}

/* A number a hundred units: six digits never touch. */
function timeAxis(svg, x, rows) {
  svg.append("g").attr("class", "axis")
    .attr("transform", "translate(0," + rows.length * ROW + ")")
    .call(d3.axisBottom(x).ticks(Math.floor((WIDTH - NAME) / 100)).tickFormat(plain));
  svg.append("text").attr("x", (NAME + WIDTH) / 2).attr("y", rows.length * ROW + 36)
    .attr("text-anchor", "middle").text("time, \u00b5s");
}

/* "2 to 3"; an interval without a width says that nothing is known of it. */
function interval(numbers) {
  return numbers[LOW] === numbers[HIGH] ? "error not known"
    : micro(numbers[LOW]) + " to " + micro(numbers[HIGH]);
}

function drawRanking(parent, cell) {
  const rows = rowsOf(cell);
  const it = figure(parent, "Which is the cheapest");
  const svg = drawing(it, WIDTH, rows.length * ROW + 42, "Ranking for " + setting());
  const x = d3.scaleLinear().domain([0, d3.max(rows, (r) => r.numbers[HIGH])]).nice()
    .range([NAME, WIDTH - 16]);
  names(svg, rows);
  const marks = svg.selectAll("g.row").data(rows).enter().append("g");
  marks.append("rect").attr("x", (d) => x(d.numbers[LOW])).attr("y", (d, i) => i * ROW + 10)
    .attr("width", (d) => x(d.numbers[HIGH]) - x(d.numbers[LOW]))
    .attr("height", ROW - 20).style("fill", (d) => colour(d.candidate)).style("opacity", .45);
  marks.append("circle").attr("cx", (d) => x(d.numbers[TOTAL]))
    .attr("cy", (d, i) => i * ROW + ROW / 2).attr("r", 5)
    .style("fill", (d) => colour(d.candidate));
  explain(marks, (d) => nameOf(d) + ": " + micro(d.numbers[TOTAL]) + ", " +
    interval(d.numbers) +
    (d.numbers[BEST] === null ? "" : "\nthe best with probability " +
      d.numbers[BEST].toFixed(2)) + (text(d.flags) ? "\n" + text(d.flags) : ""));
  timeAxis(svg, x, rows);
  it.append("figcaption").text("Dot: predicted; bar: from low to high, which hold 90 of 100 cases as all intervals here.");
}

/* A row's parts from left to right: of each segment computation, then communication. */
function partsOf(row) {
  const parts = [];
  let from = 0;
  row.segments.forEach((segment, number) => [1, 0].forEach((computes) => {
    const time = segment[computes ? 1 : 2];
    if (!(time > 0)) return;
    const lines = segment[3].filter((item) => item[3] === computes)
      .map((item) => micro(item[1]) + ": " + text(item[0]) +
        (text(item[2]) ? " (" + text(item[2]) + ")" : ""));
    parts.push({ row, number, computes, from, time, name: text(segment[0]), lines });
    from += time;
  }));
  return parts;
}

function drawParts(parent, cell) {
  const rows = rowsOf(cell);
  const it = figure(parent, "Where the time goes");
  const svg = drawing(it, WIDTH, rows.length * ROW + 42, "Parts for " + setting());
  const all = rows.map(partsOf);
  const x = d3.scaleLinear().domain([0, d3.max(all, (parts) => d3.sum(parts, (d) => d.time))])
    .nice().range([NAME, WIDTH - 16]);
  names(svg, rows);
  const bars = svg.selectAll("g.row").data(all).enter().append("g").selectAll("rect")
    .data((d) => d).enter().append("rect")
    .attr("x", (d) => x(d.from)).attr("y", (d) => rows.indexOf(d.row) * ROW + 6)
    .attr("width", (d) => Math.max(.5, x(d.time) - x(0))).attr("height", ROW - 12)
    .style("fill", (d) => colour(d.number)).style("opacity", (d) => d.computes ? 1 : .45)
    .style("stroke", "var(--paper)");
  explain(bars, (d) => nameOf(d.row) + ", " + d.name + ": " +
    (d.computes ? "computation " : "communication ") + micro(d.time) + "\n" + d.lines.join("\n"));
  timeAxis(svg, x, rows);
  const segments = new Map();
  all.forEach((parts) => parts.forEach((d) => segments.set(d.name + d.computes, {
    name: d.name + (d.computes ? ", computation" : ", communication"),
    colour: colour(d.number), light: !d.computes })));
  legend(it, [...segments.values()]);
}

/* The cost of every candidate along an axis, all else as it is set. */
function linesAlong(axis) {
  return grid.candidates.map((name, candidate) => {
    const points = [];
    axes[axis].values.forEach((value, at) => {
      const there = state.slice();
      there[axis] = at;
      const row = rowsOf(cellAt(there)).find((r) => r.candidate === candidate);
      if (row) points.push({ value, at, row });
    });
    return { name, candidate, points };
  }).filter((line) => line.points.length > 0);
}

function winnersAlong(axis) {
  return axes[axis].values.map((value, at) => {
    const there = state.slice();
    there[axis] = at;
    const rows = rowsOf(cellAt(there));
    return { value, best: rows.filter((r) => r.rank === 1).map(nameOf).join(" = ") };
  }).filter((d) => d.best);
}

function sayWinners(parent, axis) {
  const winners = winnersAlong(axis), bands = [];
  winners.forEach((d) => {
    const last = bands[bands.length - 1];
    if (last && last.best === d.best) last.to = d.value;
    else bands.push({ best: d.best, from: d.value, to: d.value });
  });
  parent.append("figcaption").text("Cheapest: " + bands.map((b) => b.best + " at " +
    axes[axis].name + " = " + (b.from === b.to ? b.from : b.from + " to " + b.to)).join("; ") +
    ". Between the points nothing was predicted.");
}

function drawAlong(parent, axis) {
  const it = figure(parent, "Time against " + axes[axis].name);
  const lines = linesAlong(axis);
  const all = [].concat(...lines.map((line) => line.points));
  chart(it, {
    label: "Time against " + axes[axis].name + " for " + setting(),
    xLog: axes[axis].values[0] > 0, yLog: true, xTitle: axes[axis].name, yTitle: "time, \u00b5s",
    xTicks: axes[axis].values.length <= 12 ? axes[axis].values : null,
    xs: axes[axis].values, ys: [].concat(...all.map((d) => [d.row.numbers[LOW],
      d.row.numbers[HIGH]])),
    draw: (plot, x, y) => drawLines(plot, x, y, lines, axes[axis].values[state[axis]])
  });
  legend(it, lines.map((line) => ({ name: line.name, colour: colour(line.candidate) })));
  sayWinners(it, axis);
}

function drawLines(plot, x, y, lines, here) {
  plot.append("line").attr("class", "here").attr("x1", x(here)).attr("x2", x(here))
    .attr("y1", y.range()[0]).attr("y2", y.range()[1]);
  lines.forEach((line) => {
    plot.append("path").datum(line.points).style("fill", colour(line.candidate))
      .style("opacity", .18).attr("d", d3.area().x((d) => x(d.value))
        .y0((d) => y(d.row.numbers[LOW])).y1((d) => y(d.row.numbers[HIGH])));
    plot.append("path").datum(line.points).style("fill", "none")
      .style("stroke", colour(line.candidate)).style("stroke-width", 2)
      .attr("d", d3.line().x((d) => x(d.value)).y((d) => y(d.row.numbers[TOTAL])));
    explain(plot.append("g").selectAll("circle").data(line.points).enter().append("circle")
      .attr("cx", (d) => x(d.value)).attr("cy", (d) => y(d.row.numbers[TOTAL])).attr("r", 4)
      .style("fill", colour(line.candidate)),
    (d) => line.name + " at " + d.value + ": " + micro(d.row.numbers[TOTAL]) + ", " +
      interval(d.row.numbers));
  });
}

function fillTable(cell) {
  const columns = ["rank", "candidate", "compute_us", "communicate_us", "total_us", "low_us",
    "high_us", "best_probability", "flags"];
  const values = (r) => [r.rank, nameOf(r), number(r.numbers[COMPUTE]),
    number(r.numbers[COMMUNICATE]), number(r.numbers[TOTAL]),
    ...(r.numbers[LOW] === r.numbers[HIGH] ? ["", ""] : [LOW, HIGH].map((n) => number(r.numbers[n]))), number(r.numbers[BEST]), text(r.flags)];
  const box = d3.select("#ranking");
  box.selectAll("*").remove();
  const table = box.append("table");
  table.append("thead").append("tr").selectAll("th").data(columns).enter().append("th")
    .attr("scope", "col").text((d) => d);
  table.append("tbody").selectAll("tr").data(rowsOf(cell)).enter().append("tr").selectAll("td")
    .data(values).enter().append("td").attr("class", (d, i) => i > 1 && i < 8 ? "number" : null)
    .text((d) => d);
  furnish(table.node());
}

/* The address says the setting. A browser forbids that it changes many times a second: it does once nobody
   has moved a slider for a moment. */
let rest = null;
function tellAddress() {
  window.clearTimeout(rest);
  rest = window.setTimeout(() => {
    const hash = new URLSearchParams(axes.map((axis, i) => [axis.name, axis.values[state[i]]]));
    try { window.history.replaceState(null, "", "#" + hash); } catch (refused) { /* no history */ }
  }, 200);
}

function update() {
  const cell = cellAt(state), pictures = d3.select("#pictures");
  const focus = document.activeElement;
  tip.attr("hidden", "");
  d3.select("#sentence").text(setting() + ": " + text(cell.rows ? cell.verdict : cell.why));
  d3.select("#left-out").text(cell.rows ? text(cell.left_out) : "");
  pictures.selectAll("*").remove();
  if (cell.rows) {
    drawRanking(pictures, cell);
    drawParts(pictures, cell);
  }
  axes.forEach((axis, i) => { if (i > 0 && axis.values.length > 1) drawAlong(pictures, i); });
  fillTable(cell);
  if (focus && focus !== document.body) focus.focus({ preventScroll: true });
  tellAddress();
}
