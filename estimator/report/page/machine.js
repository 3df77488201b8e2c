/* The machines: regions with their points, errors, memory. */

/* ---- machines ---- */

function asRate(n, us) { return n / us; }

function drawCost(box, utility, rate) {
  const value = (n, us) => rate ? asRate(n, us) : us;
  const sized = (d) => d[0] > 0 && d[1] > 0;
  const curves = utility.curves.map((c) => ({ p: c.p, line: c.line.filter(sized),
    points: c.points.filter(sized) }));
  const all = [].concat(...curves.map((c) => c.line.concat(c.points)));
  chart(box, {
    label: utility.name + (rate ? ", rate" : ", time") + " by message bytes", zoom: true,
    xLog: true, yLog: true, xTitle: "message bytes", yTitle: rate ? "rate, MB/s" : "time, \u00b5s",
    xText: bytes, xs: all.map((d) => d[0]), ys: all.map((d) => value(d[0], d[1])),
    draw: (plot, x, y) => curves.forEach((c, i) => drawCurve(plot, x, y, c, i, value, rate))
  });
  legend(box, curves.map((c, i) => ({ name: "p = " + c.p, colour: colour(i) })));
}

function drawCurve(plot, x, y, curve, i, value, rate) {
  plot.append("path").datum(curve.line).style("fill", colour(i)).style("opacity", .15)
    .attr("d", d3.area().x((d) => x(d[0])).y0((d) => y(value(d[0], d[2])))
      .y1((d) => y(value(d[0], d[3]))));
  plot.append("path").datum(curve.line).style("fill", "none").style("stroke", colour(i))
    .style("stroke-width", 1.5)
    .attr("d", d3.line().x((d) => x(d[0])).y((d) => y(value(d[0], d[1]))));
  plot.append("g").selectAll("circle").data(curve.points).enter().append("circle")
    .attr("cx", (d) => x(d[0])).attr("cy", (d) => y(value(d[0], d[1]))).attr("r", 3)
    .style("fill", (d) => d[2] ? "var(--paper)" : colour(i)).style("stroke", colour(i))
    .append("title").text((d) => bytes(d[0]) + ": " + (rate
      ? number(asRate(d[0], d[1])) + " MB/s" : micro(d[1])) +
      (d[2] ? ", held out" : "") + ", predicted / measured " + number(d[3]));
}

function addCosts(parent, machine) {
  const sized = machine.utilities.filter((u) => u.curves.some((c) => c.line.length > 1));
  if (sized.length === 0) return;
  const it = figure(parent, "What a pattern costs");
  const tools = it.append("div").attr("class", "tools");
  const label = tools.append("label").text("Pattern ");
  const pattern = label.append("select");
  pattern.selectAll("option").data(sized).enter().append("option").attr("value", (d, i) => i)
    .text((d) => d.name);
  const second = tools.append("label").text("Show ");
  const kind = second.append("select");
  kind.selectAll("option").data(["time", "rate"]).enter().append("option").text((d) => d);
  const box = it.append("div");
  const draw = () => {
    box.selectAll("*").remove();
    drawCost(box, sized[+pattern.property("value")], kind.property("value") === "rate");
  };
  pattern.on("change", draw);
  kind.on("change", draw);
  draw();
  it.append("figcaption").text("Line: the table's regions, with their 90 % interval; dots: measured; " +
    "open dots: held out, never shown to the fit.");
}

function addAccuracy(parent, machine) {
  const points = [].concat(...machine.utilities.map((u) => [].concat(...u.curves.map((c) =>
    c.points.filter((d) => d[0] > 0 && d[3] > 0).map((d) => ({ u, c, d }))))));
  if (points.length === 0) return;
  const it = figure(parent, "How far the table is from its points");
  chart(it, {
    label: "Predicted over measured, by message bytes", zoom: true, xLog: true, yLog: true,
    xTitle: "message bytes", yTitle: "predicted / measured", xText: bytes,
    xs: points.map((e) => e.d[0]), ys: points.map((e) => e.d[3]).concat([.8, 1.25]),
    draw: (plot, x, y) => {
      plot.append("line").attr("class", "here").attr("x1", x.range()[0]).attr("x2", x.range()[1])
        .attr("y1", y(1)).attr("y2", y(1));
      plot.selectAll("circle").data(points).enter().append("circle").attr("r", 2.5)
        .attr("cx", (e) => x(e.d[0])).attr("cy", (e) => y(e.d[3]))
        .style("fill", (e) => e.d[2] ? "var(--paper)" : colour(0)).style("stroke", colour(0))
        .append("title").text((e) => e.u.name + ", p = " + e.c.p + ", " + bytes(e.d[0]) + ": " +
          number(e.d[3]) + (e.d[2] ? ", held out" : ""));
    }
  });
  it.append("figcaption").text("1 is right. Open dots were never shown to the fit.");
}

function addMemory(parent, machine) {
  const steps = machine.levels.filter((d) => d[2] > 0);
  if (steps.length === 0 && machine.walks.length === 0) return;
  const it = figure(parent, "Memory");
  const walks = [].concat(...machine.walks.map((w) => w.points)).filter((d) => d[1] > 0);
  const lines = [{ name: "a load that waits for the one before", at: 2 },
    { name: "a line, one of many", at: 3 }]
    .map((l, i) => ({ ...l, colour: colour(i), steps: steps.filter((d) => d[l.at] > 0) }))
    .filter((l) => l.steps.length > 0);
  const series = machine.walks.map((w, i) => ({ name: w.name, colour: colour(i + 2), walk: w }));
  chart(it, {
    label: "Time of a load by the bytes that are gone through", zoom: true, xLog: true,
    yLog: true, xTitle: "bytes gone through", yTitle: "time of a load, ns", xText: bytes,
    xs: [].concat(...steps.map((d) => [d[0], d[1]]), walks.map((d) => d[0])),
    ys: [].concat(...lines.map((l) => l.steps.map((d) => d[l.at])), walks.map((d) => d[1])),
    draw: (plot, x, y) => {
      lines.forEach((l) => plot.append("path").style("fill", "none").style("stroke", l.colour)
        .style("stroke-width", 2).attr("d", d3.line()([].concat(...l.steps.map((d) =>
          [[x(d[0]), y(d[l.at])], [x(d[1]), y(d[l.at])]])))));
      series.forEach((s) => plot.append("path").style("fill", "none").style("stroke", s.colour)
        .attr("d", d3.line().x((d) => x(d[0])).y((d) => y(d[1]))(s.walk.points)));
    }
  });
  legend(it, lines.concat(series));
}
