/* Tables can be sorted and copied. */

/* ---- tables: sorted by a click on a heading, copied as CSV ---- */

function furnish(table) {
  const heads = [...table.querySelectorAll("thead th")];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.textContent = "";
    head.appendChild(button);
    button.addEventListener("click", () => sortBy(table, heads, column));
  });
  const copy = document.createElement("button");
  copy.type = "button";
  copy.textContent = "Copy as CSV";
  copy.addEventListener("click", () => copyText(csvOf(table), copy));
  table.parentNode.insertBefore(copy, table);
  table.parentNode.tabIndex = 0;
  table.parentNode.setAttribute("role", "region");
  table.parentNode.setAttribute("aria-label", "table");
}

function sortBy(table, heads, column) {
  const down = heads[column].getAttribute("aria-sort") === "ascending";
  heads.forEach((head) => head.removeAttribute("aria-sort"));
  heads[column].setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = (row) => row.cells[column] ? row.cells[column].textContent : "";
  const compare = (a, b) => {
    const x = key(a), y = key(b), numbers = x !== "" && y !== "" && !isNaN(x) && !isNaN(y);
    return (down ? -1 : 1) * (numbers ? x - y : x.localeCompare(y));
  };
  const body = table.tBodies[0];
  [...body.rows].sort(compare).forEach((row) => body.appendChild(row));
}

function csvOf(table) {
  const quote = (t) => /[",\n]/.test(t) ? "\"" + t.replace(/"/g, "\"\"") + "\"" : t;
  return [...table.rows].map((row) => [...row.cells].map((cell) => quote(cell.textContent))
    .join(",")).join("\n") + "\n";
}

/* Browsers allow their clipboard to pages from disk by a selection alone. */
function copyText(text, button) {
  const box = document.createElement("textarea");
  box.value = text;
  box.setAttribute("aria-hidden", "true");
  document.body.appendChild(box);
  box.select();
  const copied = document.execCommand("copy");
  box.remove();
  button.focus();
  button.textContent = copied ? "Copied" : "Could not copy";
  window.setTimeout(() => { button.textContent = "Copy as CSV"; }, 2000);
}
