// A real Chromium by chromedriver's own protocol (W3C WebDriver, and Chromium's commands for what it lacks).
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';

export class Browser {
  static async open(port = 9517) {
    const browser = new Browser();
    browser.driver = spawn('chromedriver', [`--port=${port}`], { stdio: 'ignore' });
    browser.at = `http://127.0.0.1:${port}`;
    const args = ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars'];
    for (let tries = 0; ; tries++) {
      try {
        const { sessionId } = await browser.#ask('/session', { capabilities: { alwaysMatch: {
          'goog:chromeOptions': { args }, 'goog:loggingPrefs': { browser: 'ALL' } } } });
        browser.at += `/session/${sessionId}`;
        return browser;
      } catch (error) {
        if (tries > 40) throw error;
        await new Promise((done) => setTimeout(done, 250));
      }
    }
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
  logs() { return this.#ask('/se/log', { type: 'browser' }); }
  size(width, height) { return this.command('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 500 }); }
  theme(value) { return this.command('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] }); }
  async picture(file) { writeFileSync(file, Buffer.from(await this.#ask('/screenshot'), 'base64')); }
  async key(name) {
    const of = { ArrowRight: 39, ArrowLeft: 37, ArrowDown: 40, ArrowUp: 38, Tab: 9 };
    for (const type of ['rawKeyDown', 'keyUp']) await this.command('Input.dispatchKeyEvent', { type, key: name, code: name, windowsVirtualKeyCode: of[name] });
  }
  async click(selector) {
    const at = await this.run('const e = document.querySelector(arguments[0]); e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]', selector);
    await this.point(at);
    for (const type of ['mousePressed', 'mouseReleased']) await this.command('Input.dispatchMouseEvent', { type, x: at[0], y: at[1], button: 'left', clickCount: 1 });
  }
  point([x, y]) { return this.command('Input.dispatchMouseEvent', { type: 'mouseMoved', x, y }); }
  /** Until the script returns something true; the milliseconds that took. */
  async until(script, most = 60000) {
    const begin = Date.now();
    while (!(await this.run(script))) {
      if (Date.now() - begin > most) throw new Error(`not within ${most} ms: ${script}`);
      await new Promise((done) => setTimeout(done, 40));
    }
    return Date.now() - begin;
  }
  async close() { try { await fetch(this.at, { method: 'DELETE' }); } finally { this.driver.kill(); } }
}
