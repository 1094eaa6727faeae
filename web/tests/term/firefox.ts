// The way of a teacher through the service in Firefox: log in, upload, open the report, mark a pair, share a report by a
// link with a password.
import { Firefox } from '../firefox.ts';

const quoted = JSON.stringify;

export class Teacher {
  private constructor(
    private readonly firefox: Firefox,
    private readonly service: string,
  ) {}

  /** Opens Firefox at a service, does something there, and closes it, whatever comes of that. */
  static async at(service: string, work: (teacher: Teacher) => Promise<void>): Promise<void> {
    const firefox = await Firefox.launch();
    try {
      await work(new Teacher(firefox, service));
    } finally {
      await firefox.close();
    }
  }

  async logIn(name: string, password: string): Promise<void> {
    await this.firefox.open(`${this.service}/login`);
    await this.type('Name', name);
    await this.type('Password', password);
    await this.click('Log in');
    await this.sees('Log out');
  }

  /** Uploads a file to a course, and waits for the report. */
  async compare(course: string, file: string): Promise<void> {
    await this.click(course);
    await this.click('New batch');
    const input = 'form input[type=file]:not([webkitdirectory])';
    await this.firefox.until(`document.querySelector('${input}')`);
    await this.firefox.type(input, file);
    await this.click('Upload and compare');
    await this.click('Open the report');
  }

  /** Marks the first pair of a person in a batch's report as innocent. */
  async acquits(batch: string, person: string): Promise<void> {
    await this.firefox.open(`${batch}/report/#/pairs?t=0`);
    const row = `[...document.querySelectorAll('tr.row')].find((one) => one.innerText.includes(${quoted(person)}))`;
    await this.firefox.until(row);
    // A page that is left at once asks whether marks are to be lost, which nobody answers here.
    await this.firefox.run(`const row = ${row};
      row.focus();
      row.dispatchEvent(new KeyboardEvent('keydown', { key: 'i', bubbles: true }));
      while (!(await (await fetch('marks')).text()).includes('innocent')) await new Promise((r) => setTimeout(r, 50));`);
  }

  /** Makes a link with a password to a batch's report, and opens it by that. */
  async shares(batch: string, password: string): Promise<void> {
    await this.firefox.open(batch);
    await this.type('Password (optional)', password);
    await this.click('Make a link');
    const made = `[...document.querySelectorAll('input')].find((one) => one.value.includes('/s/'))`;
    await this.firefox.until(made);
    await this.firefox.open(String(await this.firefox.run(`return ${made}.value`)));
    await this.type('Password', password);
    await this.click('Open');
  }

  async sees(text: string): Promise<void> {
    await this.firefox.until(`document.body.innerText.includes(${quoted(text)})`);
  }

  /** Types into the field of this label. */
  private async type(label: string, text: string): Promise<void> {
    const found = `[...document.querySelectorAll('label')].find((one) => one.innerText.trim() === ${quoted(label)})`;
    await this.firefox.until(found);
    await this.firefox.run(`${found}.control.setAttribute('data-typed', ${quoted(label)})`);
    await this.firefox.type(`[data-typed=${quoted(label)}]`, text);
  }

  /** Clicks on the link or the button with this text, once it is there. */
  private async click(text: string): Promise<void> {
    const found = `[...document.querySelectorAll('a, button')].find((one) => one.innerText.trim() === ${quoted(text)})`;
    await this.firefox.until(found);
    // Later, as the page that this script runs in may be left.
    await this.firefox.run(`setTimeout(() => ${found}.click())`);
  }
}
