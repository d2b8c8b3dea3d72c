import type { Locator } from '@playwright/test'

/** Counts what an operator presses on the way to an answer: clicks, choices, and the Enter that ends typing. */
export class Clicks {
  count = 0

  async click(target: Locator): Promise<void> {
    this.count += 1
    await target.click()
  }

  /** The field is clicked, and Enter pressed where the page waits for it. */
  async type(field: Locator, text: string, { enter = false } = {}): Promise<void> {
    this.count += enter ? 2 : 1
    await field.fill(text)
    if (enter) await field.press('Enter')
  }
}
