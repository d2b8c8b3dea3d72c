import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { RecordedRequests } from '../lib/testing/builders/recorded-requests'
import { expectAccessible } from './accessible'
import { sessionPage } from './ask'
import { dashboard } from './world'

const NAMES = ['Truevoyage', 'Changedvoyage'] as const

const test = dashboard({
  name: 'proved',
  write: (folder) => {
    const project = join(folder, 'projects', '-w')
    mkdirSync(project, { recursive: true })
    for (const name of NAMES) {
      const line = { type: 'custom-title', customTitle: name, sessionId: name }
      const text = `${voyage()}${JSON.stringify(line)}\n`
      const changed = name === 'Changedvoyage' ? text.replace('In the hold.', 'In the mast.') : text
      writeFileSync(join(project, `${name}.jsonl`), changed)
    }
    return { PLIMSOLL_STORES: join(folder, 'projects') }
  },
  view: ({ url }) => ({
    page: (name: (typeof NAMES)[number]) =>
      sessionPage(url, ({ title }) => title.includes(name), `?q=${name}`),
  }),
})

function voyage(): string {
  const script = new RecordedRequests()
  const asked = script.user('Where is the barrel?')
  const first = script.request([asked])
  const answer = script.assistant('m1', { type: 'text', text: 'In the hold.' })
  script.request([answer, script.user('Thanks.')], { base: first, keep: 1 })
  script.assistant('m2', { type: 'text', text: 'Aye.' })
  return script.text()
}

test.describe('requests that a client recorded', () => {
  test('are proved on the page of a session, which leads to what that means', async ({ page, world }) => {
    await page.goto(await world.page('Truevoyage'))
    const note = page.getByTestId('proof')
    await expect(note).toContainText('This call is proved')
    await expect(note).toContainText('2 of 2 requests that this session records are proved.')
    await expectAccessible(page)
    await note.getByRole('link', { name: 'What proved means' }).click()
    await expect(page.locator('#proved')).toHaveText('Proved request')
    await expect(page.locator('#proved')).toBeInViewport()
  })

  test('are not, from the call on that has another text', async ({ page, world }) => {
    const address = await world.page('Changedvoyage')
    await page.goto(address)
    const note = page.getByTestId('proof')
    await expect(note).toContainText(
      'This call is not proved: the transcript has no text for one of its messages',
    )
    await expect(note).toContainText('1 of 2 requests')
    await page.goto(`${address}?call=1`)
    await expect(note).toContainText('This call is proved')
    expect(
      (await page.request.get(`${address.replace('/sessions/', '/api/sessions/')}/proof?call=x`)).status(),
    ).toBe(400)
  })
})
