/* ---- all of it ---- */

document.querySelectorAll(".table table").forEach(furnish);
data.machines.forEach((machine, i) => {
  const parent = d3.select("#curves-" + i);
  addCosts(parent, machine);
  addAccuracy(parent, machine);
  addMemory(parent, machine);
});
if (grid) {
  startingState();
  makeSettings();
  update();
}
