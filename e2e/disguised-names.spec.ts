import { expect, type Page } from '@playwright/test'
import { test } from './disguised-store'

/** Controls and marks of direction that act, wherever they are; tab and line feed do not. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const ACTING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

function pagesOf(id: string): string[] {
  const session = `/sessions/${id}`
  return [
    '/',
    '/sessions',
    '/sessions?q=Harbour',
    '/sessions?q=gh',
    session,
    `${session}?view=table`,
    `${session}/transcript`,
    `${session}/transcript?view=turns`,
    `${session}/compactions`,
    `${session}/integrity`,
    `${session}/compact`,
    `${session}/compact?tab=prune`,
    '/policies',
    `/policies?tab=effective&session=${id}`,
    '/cold-storage',
    '/activity',
    '/activity/cut-off',
    '/memory',
    '/stores',
    '/audit',
    '/jobs',
  ]
}

function answersOf(id: string): string[] {
  const session = `/api/sessions/${id}`
  return [
    '/api/overview',
    '/api/sessions',
    '/api/sessions?q=gh',
    '/api/sessions/facets',
    session,
    `${session}/frames`,
    `${session}/calls?page=0`,
    `${session}/calls.csv`,
    `${session}/context?call=1`,
    `${session}/entries?page=0`,
    `${session}/entries/1`,
    `${session}/entries/4`,
    `${session}/entries/4/text`,
    `${session}/entries/6`,
    `${session}/turns?page=0`,
    `${session}/compactions`,
    `${session}/find?q=gh`,
    `${session}/find?q=barrels`,
    `${session}/policy`,
    `${session}/plan`,
    `${session}/plan/digest`,
    `${session}/prune`,
    '/api/policies/fit',
    '/api/policies/fills',
    `/api/policies/sessions/${id}`,
    '/api/cold-storage',
    '/api/activity',
    '/api/activity/export?form=csv',
    '/api/activity/export?form=json',
    '/api/stores',
    '/api/audit',
    '/api/jobs',
    '/api/memory',
  ]
}

/** What is drawn, and what is read aloud or shown on hover. */
async function shownOn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const named = [...document.querySelectorAll('[title], [aria-label], [alt], option')]
    const names = named.flatMap((one) =>
      ['title', 'aria-label', 'alt'].map((name) => one.getAttribute(name) ?? ''),
    )
    return [document.title, document.body.innerText, ...names].join('\n')
  })
}

test.describe('X20 names that a store gives', () => {
  test('carry no credential to a page or an answer', async ({ page, world }) => {
    test.setTimeout(240_000)
    const { url, id, tokens } = world
    const found: string[] = []
    const look = (where: string, body: string) => {
      for (const [place, token] of Object.entries(tokens))
        if (body.includes(token.slice(4, 24))) found.push(`${place} in ${where}`)
    }
    for (const path of [...pagesOf(id), ...answersOf(id)])
      look(path, await (await page.request.get(url + path)).text())
    expect(found).toEqual([])
  })

  test('do not act where they are shown', async ({ page, context, world }) => {
    test.setTimeout(240_000)
    const { url, id } = world
    const found: string[] = []
    const paths = pagesOf(id)
    const lookAt = async (one: Page) => {
      for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
        await one.goto(url + path, { waitUntil: 'networkidle' })
        const line = (await shownOn(one)).split('\n').find((text) => ACTING.test(text))
        if (line !== undefined) found.push(`${path}: ${JSON.stringify(line)}`)
      }
    }
    // Side by side: after its last request each page is waited for half a second.
    await Promise.all([page, await context.newPage(), await context.newPage()].map(lookAt))
    for (const path of ['/api/activity/export?form=csv', `/api/sessions/${id}/calls.csv`]) {
      const text = await (await page.request.get(url + path)).text()
      const line = text.split(/\r?\n/).find((one) => ACTING.test(one))
      if (line !== undefined) found.push(`${path}: ${JSON.stringify(line)}`)
    }
    expect(found).toEqual([])
  })
})
