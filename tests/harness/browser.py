# SPDX-License-Identifier: GPL-3.0-or-later
"""A headless Chromium, driven through chromedriver's W3C interface with the standard library alone.

    with Browser(folder) as b:
        b.open("file:///tmp/page.html")
        b.click("#save")

What the pages download goes into `folder`, which must be empty; the profile of the browser is there, too. `expect` ends
the test with a message if two values differ; `passed` prints at the end how many it compared.
"""
import base64
import json
import os
import re
import subprocess
import sys
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Down": "\ue015", "Up": "\ue013", "Escape": "\ue00c", "Enter": "\ue007", "Tab": "\ue004", "Right": "\ue014", "Left": "\ue012"}
ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars"]

checks = 0


def expect(what, got, wanted):
    global checks
    checks += 1
    if got != wanted:
        sys.exit(f"{what}: {wanted!r} was expected, got {got!r}")


def passed():
    print(f"all checks passed ({checks})")


class Browser:
    def __init__(self, folder, width=1280, height=900):
        self.folder = os.path.abspath(folder)
        self.downloads = os.path.join(self.folder, "downloads")
        os.makedirs(self.downloads)
        self.log = open(os.path.join(self.folder, "chromedriver.log"), "wb")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self.session = None
        try:
            self.start(width, height)
        except BaseException:
            self.close()
            raise

    def start(self, width, height):
        port = None
        for line in self.driver.stdout:
            found = re.search(r"successfully on port (\d+)", line)
            if found:
                port = int(found.group(1))
                break
        if not port:
            raise RuntimeError("chromedriver did not start")
        self.base = f"http://127.0.0.1:{port}/session"
        options = {
            "args": ARGUMENTS + [f"--window-size={width},{height}", f"--user-data-dir={self.folder}/profile"],
            "prefs": {"download.default_directory": self.downloads, "download.prompt_for_download": False},
        }
        capabilities = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"},
                        "unhandledPromptBehavior": "accept"}
        answer = self.send("POST", "", {"capabilities": {"alwaysMatch": capabilities}})
        self.session = answer["sessionId"]
        self.send("POST", "/timeouts", {"script": 250000})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.session:
            try:
                self.send("DELETE", "")
            except (OSError, RuntimeError):
                pass
            self.session = None
        self.driver.terminate()
        self.driver.wait()
        self.driver.stdout.close()
        self.log.close()

    def send(self, method, path, body=None):
        url = self.base + (f"/{self.session}" if self.session else "") + path
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data=data, method=method, headers={"Content-Type": "application/json"})
        try:
            with self.opener.open(request, timeout=300) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise RuntimeError(f"{path}: {value['error']}: {value['message']}") from None

    def open(self, url):
        """Waits until the page is drawn: before, Chromium throws keys away."""
        self.send("POST", "/url", {"url": url})
        self.run_async("""
            const done = arguments[0];
            const look = () => performance.getEntriesByName("first-contentful-paint").length ? done() : requestAnimationFrame(look);
            look();""")

    def run(self, script, *arguments):
        return self.send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script, *arguments):
        """The script calls its last argument with the result."""
        return self.send("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def element(self, selector):
        return self.send("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.send("POST", f"/element/{self.element(selector)}/click", {})

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)

    def keys(self, *keys):
        """To the element that has the focus."""
        actions = []
        for key in keys:
            value = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.send("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def errors(self):
        """What the console has since the last call: errors and warnings."""
        return [e["message"] for e in self.send("POST", "/se/log", {"type": "browser"}) if e["level"] in ("SEVERE", "WARNING")]

    def cdp(self, command, **parameters):
        return self.send("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def resize(self, width, height):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def scheme(self, dark):
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def picture(self, path):
        with open(path, "wb") as out:
            out.write(base64.b64decode(self.send("GET", "/screenshot")))

    def downloaded(self, name, seconds=30):
        """The text of a file that the page saved."""
        path = os.path.join(self.downloads, name)
        for _ in range(seconds * 20):
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    return file.read()
            time.sleep(0.05)
        raise RuntimeError(f"{name} was not saved; there is {os.listdir(self.downloads)}")
