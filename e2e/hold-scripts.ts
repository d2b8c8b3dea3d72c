import type { Page } from '@playwright/test'

/** Keeps the scripts of the page's next addresses back, one after the other in turn, until it is called. */
export async function holdScripts(page: Page): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let turn = held
  await page.route('**/_next/static/**/*.js*', async (route) => {
    // The frame of a page has its scripts before the parts in it have theirs.
    turn = turn.then(() => new Promise((resolve) => setTimeout(resolve, 50)))
    await turn
    await route.continue()
  })
  return release
}
