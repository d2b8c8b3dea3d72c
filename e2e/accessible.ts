import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** What axe calls grave enough to keep somebody from using a page. */
const GRAVE = ['serious', 'critical']

/** Finds the axe that the builder brings. */
const ofBuilder = createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright'))

/** Its short text: the builder's default is twice as long, and is compiled in every page. */
const SOURCE = readFileSync(ofBuilder.resolve('axe-core/axe.min.js'), 'utf8')

type Rules = {
  readonly _audit: { readonly rules: readonly { readonly id: string; readonly impact: string }[] }
}

/** Rules whose findings are never grave: axe gives every finding of a rule the impact of the rule. */
const NEVER_GRAVE = (ofBuilder('axe-core') as Rules)._audit.rules
  .filter(({ impact }) => !GRAVE.includes(impact))
  .map(({ id }) => [id, { enabled: false }] as const)

/** Rules of axe whose answer for the same elements turns on their colours. */
const OF_COLOUR = ['color-contrast', 'link-in-text-block']

/** Rules of axe whose answer for the same elements turns on the width of the page. */
const OF_LAYOUT = ['scrollable-region-focusable']

/** Expects that axe finds nothing grave on a page; with 'anything', nothing at all. */
export async function expectAccessible(page: Page, what: 'grave' | 'anything' = 'grave'): Promise<void> {
  await expectNone(await axe(page, what), what)
}

/**
 * The same in both themes. They differ in nothing but colours (app/globals.css): the elements are examined once, and their
 * colours in the other theme as well. Leaves the dark one.
 */
export async function expectAccessibleInBothThemes(
  page: Page,
  what: 'grave' | 'anything' = 'grave',
): Promise<void> {
  await showTheme(page, 'light')
  await expectNone(await axe(page, what), what)
  await showTheme(page, 'dark')
  await expectNone((await axe(page, what)).withRules(OF_COLOUR), what)
}

/** Waits until the page has its colours. */
export async function showTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  // Parts far from the window keep their old colours until they come near it.
  await page.evaluate(() => {
    for (const part of document.querySelectorAll<HTMLElement>('.laid-out-late'))
      part.style.contentVisibility = 'visible'
  })
  // A colour on its way to another one is not a contrast to measure.
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  // The way begins with one frame and has ended with the next.
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))),
  )
}

/** A narrow page in the light theme, and a wide one in the dark. Pixels. */
export const LOOKS = [
  ['light', 360],
  ['dark', 1280],
] as const

/** Shows the page so. */
export async function showLook(page: Page, [colorScheme, width]: (typeof LOOKS)[number]): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  await page.emulateMedia({ colorScheme })
}

/** Expects that nothing is wider than the page, and that axe finds nothing grave. */
export async function expectAccessibleAt(page: Page, width: number): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  await expectAccessible(page)
}

/** Makes the page as narrow as a phone, and waits until all of it fits: it is laid out anew a moment after. */
export async function narrowToFit(page: Page): Promise<void> {
  await page.setViewportSize({ width: 360, height: 640 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
}

/** What another width can change on a page that is looked at whole elsewhere, in the same theme. */
export async function expectAccessibleLayout(page: Page): Promise<void> {
  await expectNone((await axe(page, 'grave')).withRules(OF_LAYOUT), 'grave')
}

async function axe(page: Page, what: 'grave' | 'anything'): Promise<AxeBuilder> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(SOURCE)
  // The builder would put it into the page twice for each look at it; it is there.
  const builder = new AxeBuilder({ page, axeSource: ';' })
    // The pages have no frames: axe can put its answer together where it ran, and need not load a page for that.
    .setLegacyMode()
    // What is in order is not looked up and sent here element by element, and style sheets are not fetched again: no
    // rule that is on needs their text.
    .options({
      resultTypes: ['violations'],
      preload: false,
      rules: what === 'grave' ? Object.fromEntries(NEVER_GRAVE) : {},
    })
  // What lies behind an open dialog can be neither read nor reached; it is examined where it is in sight.
  const isCovered = (await page.locator('dialog:modal').count()) > 0
  return isCovered ? builder.include('dialog[open]') : builder
}

async function expectNone(look: AxeBuilder, what: 'grave' | 'anything'): Promise<void> {
  const { violations } = await look.analyze()
  const found = violations.filter(({ impact }) => what === 'anything' || GRAVE.includes(impact ?? ''))
  expect(found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)).toEqual([])
}
