// A real browser without a window: Chromium by chromedriver's protocol (W3C WebDriver, and Chromium's commands for what it lacks),
// Firefox by its own Marionette. Both do what a hand does.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A script may take as long on a machine that does other things too. */
const timeouts = { script: 300000 };
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
/** What `begin` gives once it does not fail any more. */
async function begun(begin) {
  for (let tries = 0; ; tries++) {
    try { return await begin(); } catch (error) {
      if (tries > 120) throw error;
      await wait(250);
    }
  }
}

class Browser {
  /** Until the script returns something true; the milliseconds that took. */
  async until(script, most = 60000) {
    const begin = Date.now();
    while (!(await this.run(script))) {
      if (Date.now() - begin > most) throw new Error(`not within ${most} ms: ${script}`);
      await wait(20);
    }
    return Date.now() - begin;
  }
  async click(selector) {
    await this.run('document.querySelector(arguments[0]).scrollIntoView({block: "center"})', selector);
    const place = () => this.run('const r = document.querySelector(arguments[0]).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]', selector);
    // A window that was resized lays its page out a while later.
    let at = await place(), before;
    do {
      before = at;
      await wait(60);
      at = await place();
    } while (String(at) !== String(before));
    await this.press(at);
  }
}

export class Chromium extends Browser {
  static async open(port = 9517) {
    const browser = new Chromium();
    browser.driver = spawn('chromedriver', [`--port=${port}`], { stdio: 'ignore' });
    browser.at = `http://127.0.0.1:${port}`;
    const args = ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--allow-file-access-from-files'];
    const { sessionId } = await begun(() => browser.#ask('/session', { capabilities: { alwaysMatch: {
      timeouts, 'goog:chromeOptions': { args }, 'goog:loggingPrefs': { browser: 'ALL' } } } }));
    browser.at += `/session/${sessionId}`;
    return browser;
  }

  async #ask(path, body) {
    const answer = await fetch(this.at + path, { method: body === undefined ? 'GET' : 'POST', body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (value?.error) throw new Error(value.message.split('\n')[0]);
    return value;
  }

  go(url) { return this.#ask('/url', { url }); }
  run(script, ...args) { return this.#ask('/execute/sync', { script, args }); }
  command(cmd, params) { return this.#ask('/goog/cdp/execute', { cmd, params }); }
  async errors() { return (await this.#ask('/se/log', { type: 'browser' })).filter((l) => l.level === 'SEVERE').map((l) => l.message); }
  size(width, height) { return this.command('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 500 }); }
  theme(value) { return this.command('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] }); }
  async picture(file) { writeFileSync(file, Buffer.from(await this.#ask('/screenshot'), 'base64')); }
  async key(name) {
    const of = { ArrowRight: 39, ArrowLeft: 37, ArrowDown: 40, ArrowUp: 38, Tab: 9, Enter: 13 };
    const text = name === 'Enter' ? { text: '\r' } : {};
    for (const type of ['rawKeyDown', ...(text.text ? ['char'] : []), 'keyUp']) await this.command('Input.dispatchKeyEvent', { type, key: name, code: name, windowsVirtualKeyCode: of[name], ...text });
  }
  point([x, y]) { return this.command('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y }); }
  async press(at) {
    await this.point(at);
    for (const type of ['mousePressed', 'mouseReleased']) await this.command('Input.dispatchMouseEvent', { type, x: at[0], y: at[1], button: 'left', clickCount: 1 });
  }
  async close() { try { await fetch(this.at, { method: 'DELETE' }); } finally { this.driver.kill(); } }
}

export class Firefox extends Browser {
  #waiting = new Map();
  #last = 0;
  #rest = Buffer.alloc(0);

  static async open(port = 9518) {
    const browser = new Firefox();
    browser.profile = mkdtempSync(join(tmpdir(), 'warplens-firefox-'));
    const settings = { 'marionette.port': port, 'datareporting.policy.dataSubmissionEnabled': false, 'browser.shell.checkDefaultBrowser': false };
    writeFileSync(join(browser.profile, 'user.js'), Object.entries(settings).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(''));
    browser.driver = spawn('firefox-esr', ['--headless', '--marionette', '--remote-allow-system-access', '--no-remote', '--profile', browser.profile], { stdio: 'ignore' });
    browser.socket = await begun(() => new Promise((done, failed) => {
      const socket = connect(port, '127.0.0.1', () => done(socket));
      socket.on('error', failed);
    }));
    browser.socket.on('data', (data) => browser.#take(data));
    await browser.#ask('WebDriver:NewSession', { capabilities: { alwaysMatch: { timeouts } } });
    return browser;
  }

  /** Messages are their length, a colon, and JSON. */
  #take(data) {
    this.#rest = Buffer.concat([this.#rest, data]);
    for (;;) {
      const colon = this.#rest.indexOf(58), length = Number(this.#rest.subarray(0, Math.max(0, colon)).toString());
      if (colon < 0 || this.#rest.length < colon + 1 + length) return;
      const said = JSON.parse(this.#rest.subarray(colon + 1, colon + 1 + length).toString());
      this.#rest = this.#rest.subarray(colon + 1 + length);
      if (Array.isArray(said)) this.#waiting.get(said[1])?.(said[2], said[3]);  // else it greets
    }
  }
  #ask(name, params = {}) {
    return new Promise((done, failed) => {
      const id = ++this.#last, text = Buffer.from(JSON.stringify([0, id, name, params]));
      this.#waiting.set(id, (error, value) => { this.#waiting.delete(id); if (error) failed(new Error(error.message)); else done(value?.value === undefined ? value : value.value); });
      this.socket.write(Buffer.concat([Buffer.from(`${text.length}:`), text]));
    });
  }
  async #inside(script) {
    await this.#ask('Marionette:SetContext', { value: 'chrome' });
    const said = await this.#ask('WebDriver:ExecuteScript', { script, args: [] });
    await this.#ask('Marionette:SetContext', { value: 'content' });
    return said;
  }

  go(url) { return this.#ask('WebDriver:Navigate', { url }); }
  run(script, ...args) { return this.#ask('WebDriver:ExecuteScript', { script, args }); }
  /** Of pages, not of the browser itself. */
  errors() {
    return this.#inside(`return Services.console.getMessageArray().filter((m) => m instanceof Ci.nsIScriptError && !(m.flags & Ci.nsIScriptError.warningFlag) && /^(http|file):/.test(m.sourceName))
      .map((m) => m.sourceName + ' ' + m.lineNumber + ' ' + m.errorMessage)`);
  }
  /** The page alone: a window would not become as narrow as a phone. */
  async size(width, height) {
    const more = await this.run('return [outerWidth - innerWidth, outerHeight - innerHeight]');
    await this.#ask('WebDriver:SetWindowRect', { width: Math.max(600, width) + more[0], height: height + more[1] });
    await this.#inside(`gBrowser.selectedBrowser.style.cssText = "flex: none; width: ${width}px; height: ${height}px"`);
    // The page hears of it a while later.
    await this.until(`return innerWidth === ${width} && new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`);
  }
  theme(value) { return this.#inside(`Services.prefs.setIntPref("layout.css.prefers-color-scheme.content-override", ${value === 'dark' ? 0 : 1})`); }
  async picture(file) { writeFileSync(file, Buffer.from(await this.#ask('WebDriver:TakeScreenshot', { full: false }), 'base64')); }
  #act(actions) { return this.#ask('WebDriver:PerformActions', { actions }); }
  key(name) {
    const value = { ArrowRight: '\uE014', ArrowLeft: '\uE012', ArrowDown: '\uE015', ArrowUp: '\uE013', Tab: '\uE004', Enter: '\uE007' }[name];
    return this.#act([{ type: 'key', id: 'keys', actions: [{ type: 'keyDown', value }, { type: 'keyUp', value }] }]);
  }
  #mouse(at, actions) {
    return this.#act([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: [{ type: 'pointerMove', x: Math.round(at[0]), y: Math.round(at[1]) }, ...actions] }]);
  }
  point(at) { return this.#mouse(at, []); }
  press(at) { return this.#mouse(at, [{ type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }]); }
  async close() {
    this.socket.destroy();
    this.driver.kill();
    await new Promise((done) => this.driver.on('exit', done));
    rmSync(this.profile, { recursive: true, force: true });
  }
}

export const open = (/** @type {string} */ name) => (name === 'firefox' ? Firefox.open() : Chromium.open());
