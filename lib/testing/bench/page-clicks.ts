import type { Page } from '@playwright/test'
import { type Answer, timeClick } from './click-times'
import { type Measurement, quantile } from './report'

const ROUNDS = 10
const CLICK_MS = 150
/** What a page asks for once it is there belongs to no click. */
const SETTLED_MS = 250

/** One click: where it is made, if not where the one before led, and what answers it. */
type Click = Answer & {
  readonly what: string
  readonly from?: string
  readonly press: (page: Page) => Promise<void>
}

/**
 * How long clicks take until what was asked for is in sight, on a warm server and in a warm browser.
 * @param session id of one with at least two calls
 */
export async function measureClicks(
  page: Page,
  url: string,
  session: string,
  rounds = ROUNDS,
): Promise<Measurement[]> {
  const clicks = [...tabClicks(session), ...SCREEN_CLICKS, ...choiceClicks(session)]
  const times = new Map<string, number[]>()
  // Once to warm the server and the browser.
  for (let round = 0; round <= rounds; round++) {
    for (const { what, from, press, ...answer } of clicks) {
      if (from !== undefined) {
        await page.goto(url + from)
        await page.waitForTimeout(SETTLED_MS)
      }
      const took = await timeClick(page, () => press(page), answer)
      if (round > 0) times.set(what, [...(times.get(what) ?? []), took])
      await page.waitForTimeout(SETTLED_MS)
    }
  }
  return [...times].map(([what, took]) => ({
    what: `click: ${what}, p95 of ${rounds}`,
    value: quantile(took, 0.95),
    unit: 'ms',
    limit: CLICK_MS,
    note: `p50 ${quantile(took, 0.5).toFixed(0)} ms`,
  }))
}

/** From tab to tab of a session. */
function tabClicks(session: string): readonly Click[] {
  const tab = (label: string, selector: string): Click => ({
    what: `tab ${label}`,
    selector,
    press: (page) =>
      page
        .getByRole('navigation', { name: 'Parts of the session' })
        .getByRole('link', { name: new RegExp(`^${label}(\\s*[\\d\\s]+)?$`) })
        .click(),
  })
  return [
    { ...tab('Findings', 'main h2'), from: `/sessions/${session}` },
    tab('Transcript', '[aria-label=Entries] article'),
    tab('Compactions', 'main h2'),
    tab('Compact', 'main h2'),
    tab('Pruning', 'main h2'),
    tab('Integrity', 'main h2'),
    tab('Context', '[data-testid=context-rows] [data-open]'),
  ]
}

/** From screen to screen. */
const SCREEN_CLICKS: readonly Click[] = [
  screen('Sessions', 'main table'),
  screen('Findings', 'main h2'),
  screen('Policies', 'main h2'),
  screen('Cold storage', 'main h2'),
  screen('Activity', 'main h2'),
  screen('Memory', 'main h2'),
  screen('Lab', 'main h2'),
  screen('Stores', 'main h2'),
  screen('Help', 'main h2'),
  screen('Overview', 'main h2'),
]

function screen(label: string, selector: string): Click {
  return {
    what: `screen ${label}`,
    selector,
    press: (page) =>
      page
        .getByRole('navigation', { name: 'Screens' })
        .getByRole('link', { name: label, exact: true })
        .click(),
  }
}

/** Choices within a page. */
function choiceClicks(session: string): readonly Click[] {
  return [
    {
      what: 'filter of Sessions',
      from: '/sessions',
      selector: 'main [role=status]',
      text: ' session',
      press: async (page) => {
        await page.getByRole('combobox', { name: 'Agent' }).selectOption({ index: 1 })
      },
    },
    {
      what: 'filter of Findings',
      from: '/findings',
      selector: '[aria-label=Severity] [aria-current]',
      press: (page) => page.getByRole('navigation', { name: 'Severity' }).getByRole('link').nth(1).click(),
    },
    {
      what: 'the session of a finding',
      from: '/findings',
      selector: '[aria-label="Parts of the session"]',
      press: (page) =>
        page.getByRole('list', { name: 'Findings' }).locator('a[href^="/sessions/"]').first().click(),
    },
    {
      what: 'a row of Sessions',
      from: '/sessions',
      selector: '[aria-label="Parts of the session"]',
      press: (page) => page.locator('main table a[href^="/sessions/"]').first().click(),
    },
    {
      what: 'a call in Context',
      from: `/sessions/${session}`,
      selector: 'section:has([data-testid=context-rows]) > header p',
      press: (page) => page.getByRole('button', { name: 'Previous call' }).click(),
    },
    {
      what: 'a part in Context',
      selector: 'dialog[open] [data-testid=source-place]',
      press: (page) => page.locator('[data-testid=context-rows] [data-open]').first().click(),
    },
  ]
}
