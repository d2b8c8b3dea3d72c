import type { Page } from '@playwright/test'

/** What shows that a click is answered: the text of these elements is another one than before and has `text` in it. */
export type Answer = { readonly selector: string; readonly text?: string }

type ClickWindow = { clickTook?: Promise<number> }

/**
 * From a click (or a choice of a list) to the first frame in which its answer is in sight, in milliseconds. Both are read
 * from the clock of the page, so what drives the browser costs nothing.
 */
export async function timeClick(page: Page, press: () => Promise<void>, answer: Answer): Promise<number> {
  await page.evaluate(watch, answer)
  await press()
  return page.evaluate(() => (window as ClickWindow).clickTook ?? Number.NaN)
}

/** In the page. */
function watch({ selector, text = '' }: Answer): void {
  // What waits behind a placeholder is in the document, and not visible.
  const read = () =>
    [...document.querySelectorAll(selector)]
      .filter((element) => element.checkVisibility())
      .map((element) => element.textContent)
      .join('\n')
  const before = read()
  const own = window as ClickWindow
  own.clickTook = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`no click was answered by ${selector} with '${text}'`)), 10_000)
    let start: number | null = null
    const begin = () => {
      start ??= performance.now()
    }
    addEventListener('click', begin, { capture: true, once: true })
    addEventListener('change', begin, { capture: true, once: true })
    const observer = new MutationObserver(() => {
      const now = read()
      if (start === null || now === before || now === '' || !now.includes(text)) return
      const pressed = start
      observer.disconnect()
      requestAnimationFrame(() => resolve(performance.now() - pressed))
    })
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  })
}
