#!/usr/bin/env python3
"""What a browser makes of a page of estimator report.

browser.py PAGE [--rank CSV] [--axe AXE.JS] [--shot PNG WIDTH HEIGHT [dark]]

Opens PAGE in a headless Chromium through its debugging pipe, and fails, with a line each, where
- the console complains, a dialog opens, or anything but the page itself is asked for;
- with --rank: at a position of the sliders the table differs from the rows of `estimator rank
  --format csv` (columns machine, processors and the parameters say which rows belong to it);
- the Tab key does not reach everything that can be operated;
- with --axe: axe-core finds something serious.
"""
import argparse
import base64
import csv
import itertools
import json
import os
import subprocess
import sys
import tempfile


class Browser:
    """A page in Chromium. Messages are JSON, each ended by a zero byte, on descriptors 3 and 4."""

    def __init__(self, width, height, dark):
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            ["sh", "-c", 'exec chromium "$@" 3<&%d 4>&%d' % (to_read, from_write), "sh",
             "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--remote-debugging-pipe", f"--window-size={width},{height}",
             f"--user-data-dir={self.folder.name}", "about:blank"],
            pass_fds=(to_read, from_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.out = os.fdopen(to_write, "wb", 0)
        self.into = os.fdopen(from_read, "rb", 0)
        self.rest, self.number, self.session, self.events = b"", 0, None, []
        target = next(t for t in self.ask("Target.getTargets")["targetInfos"]
                      if t["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=target["targetId"],
                                flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(domain + ".enable")
        # a window may not be as narrow as a phone
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=width < 600)
        self.ask("Emulation.setScrollbarsHidden", hidden=True)
        if dark:
            self.ask("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": "dark"}])

    def message(self):
        while b"\0" not in self.rest:
            more = self.into.read(65536)
            if not more:
                sys.exit("the browser has ended")
            self.rest += more
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def ask(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        self.out.write(json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, url):
        self.ask("Page.navigate", url=url)
        while not any(e["method"] == "Page.loadEventFired" for e in self.events):
            self.events.append(self.message())

    def run(self, script):
        result = self.ask("Runtime.evaluate", expression=script, awaitPromise=True,
                          returnByValue=True)
        if "exceptionDetails" in result:
            sys.exit("the page's script failed: " + json.dumps(result["exceptionDetails"])[:400])
        return result["result"].get("value")

    def press_tab(self):
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab",
                     windowsVirtualKeyCode=9)

    def close(self):
        self.out.close()
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


def complaints(browser, url):
    for event in browser.events:
        kind, said = event["method"], event.get("params", {})
        if kind == "Runtime.exceptionThrown":
            yield "exception: " + json.dumps(said)[:300]
        elif kind == "Runtime.consoleAPICalled" and said["type"] in ("error", "warning"):
            yield "console: " + json.dumps(said["args"])[:300]
        elif kind == "Log.entryAdded" and said["entry"]["level"] in ("error", "warning"):
            yield "log: " + said["entry"]["text"]
        elif kind == "Page.javascriptDialogOpening":
            yield "dialog: " + said["message"]
        elif kind == "Network.requestWillBeSent":
            asked = said["request"]["url"].split("#")[0]
            if asked not in (url, "about:blank") and not asked.startswith("data:"):
                yield "asked for " + asked


READ = """[...document.querySelectorAll('#ranking tbody tr')].map(row =>
          [...row.cells].map(cell => cell.textContent))"""
AXES = "JSON.parse(document.getElementById('data').textContent).grid.axes"
COLUMNS = ("compute_us", "communicate_us", "total_us", "low_us", "high_us")


def move_to(browser, position):
    for number, at in enumerate(position):
        kind = "change" if number == 0 else "input"
        browser.run(f"""(() => {{ const it = document.getElementById('axis-{number}');
            it.value = {at}; it.dispatchEvent(new Event('{kind}', {{bubbles: true}})); }})()""")


def same(shown, full):
    """Five digits of a number."""
    if shown == "-":
        return full == ""
    if not full:
        return shown in ("", "-")
    return abs(float(shown) - float(full)) <= 1e-4 * abs(float(full))


def expected_at(rows, axes, position):
    wanted = [axis["values"][at] for axis, at in zip(axes, position)]
    keys = ["machine", "processors"] + [axis["name"] for axis in axes[2:]]
    return [row for row in rows
            if all(row.get(key, str(value)) == str(value) if key == "machine"
                   else float(row[key]) == float(value) for key, value in zip(keys, wanted))]


def compare(browser, path):
    """Every position of the sliders against the ranking; how many there were."""
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    axes, wrong, positions = browser.run(AXES), [], 0
    for position in itertools.product(*(range(len(axis["values"])) for axis in axes)):
        move_to(browser, position)
        shown, expected = browser.run(READ), expected_at(rows, axes, position)
        positions += 1
        if [line[1] for line in shown] != [row["candidate"] for row in expected]:
            wrong.append(f"{position}: {[line[1] for line in shown]} are shown")
            continue
        wrong += [f"{position}: {line[1]} shows {column} = {line[2 + i]} for {row[column]}"
                  for line, row in zip(shown, expected) for i, column in enumerate(COLUMNS)
                  if not same(line[2 + i], row[column])]
    print(f"{positions} positions of the sliders compared")
    return wrong


OPERABLE = """[...document.querySelectorAll(
    'a[href], button, input:not(:disabled), select, summary, [tabindex="0"]')]
    .filter(it => it.checkVisibility())"""


def reach(browser):
    """What Tab does not come to."""
    count = browser.run(f"window.operable = {OPERABLE}; window.reached = new Set();"
                        "document.activeElement.blur(); window.operable.length")
    for _ in range(count + 5):
        browser.press_tab()
        browser.run("window.reached.add(document.activeElement)")
    return browser.run("window.operable.filter(it => !window.reached.has(it))"
                       ".map(it => 'Tab does not reach ' + it.outerHTML.slice(0, 100))")


def serious(browser, path):
    with open(path) as file:
        browser.run(file.read() + "; 0")
    found = browser.run("axe.run().then(r => r.violations.map(v => [v.impact, v.id, v.nodes.length,"
                        " v.nodes[0].html.slice(0, 120)]))")
    return [f"axe: {v}" for v in found if v[0] in ("serious", "critical")]


def shoot(browser, path):
    browser.run("document.activeElement.blur(); window.scrollTo(0, 0)")
    with open(path, "wb") as file:
        file.write(base64.b64decode(browser.ask("Page.captureScreenshot")["data"]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("page")
    parser.add_argument("--rank")
    parser.add_argument("--axe")
    parser.add_argument("--shot", nargs="+")
    wanted = parser.parse_args()
    shot = wanted.shot or ["", "1200", "1600"]
    browser = Browser(int(shot[1]), int(shot[2]), "dark" in shot)
    url = "file://" + os.path.abspath(wanted.page)
    browser.open(url)
    wrong = compare(browser, wanted.rank) if wanted.rank else []
    wrong += reach(browser)
    wrong += serious(browser, wanted.axe) if wanted.axe else []
    if shot[0]:
        shoot(browser, shot[0])
    wrong += list(complaints(browser, url))
    browser.close()
    print(*wrong[:20], sep="\n")
    return 1 if wrong else 0


sys.exit(main())
