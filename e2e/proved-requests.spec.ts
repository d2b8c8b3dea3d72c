import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { ClaudeCodeBuilder } from '../lib/testing/builders/foreign-lines'
import { RecordedRequests } from '../lib/testing/builders/recorded-requests'
import { expectAccessible } from './accessible'
import { sessionPage } from './ask'
import { dashboard } from './world'

const NAMES = ['Truevoyage', 'Changedvoyage', 'Longvoyage'] as const

const test = dashboard({
  name: 'proved',
  write: (folder) => {
    const project = join(folder, 'projects', '-w')
    mkdirSync(project, { recursive: true })
    writeLongVoyage(project)
    for (const name of NAMES.slice(0, 2)) {
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

/** A session with an output that was too long to send, saved beside the transcript, and one whose file is gone. */
function writeLongVoyage(project: string): void {
  const folder = join(project, 'Longvoyage', 'tool-results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'c1.txt'), `<b>Barrel</b> 1\n${'Barrel\n'.repeat(20_000)}The last barrel.`)
  const script = new ClaudeCodeBuilder()
  script.aside('custom-title', { customTitle: 'Longvoyage' })
  script.user('List the barrels.')
  for (const id of ['c1', 'c2']) {
    script.answer(`m-${id}`, { type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }, { input: 900 })
    // The folder that the note names is not where the file is looked for.
    const place = `/etc/${id}.txt`
    script.result(
      id,
      `<persisted-output>\nOutput too large (140KB). Full output saved to: ${place}\n\nPreview:\nBarrel 1\n</persisted-output>`,
    )
  }
  script.answer('m-end', { type: 'text', text: 'Many.' }, { input: 1_200 })
  writeFileSync(join(project, 'Longvoyage.jsonl'), script.text())
}

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

test('an output that was too long to send is opened from the file beside its transcript', async ({
  page,
  world,
}) => {
  await page.goto(`${await world.page('Longvoyage')}/transcript`)
  const outputs = page.locator('[data-block="saved-output"]')
  const [saved, gone] = [outputs.nth(0), outputs.nth(1)]
  await saved.getByRole('button', { name: 'Open' }).click()
  await expect(saved).toContainText('The whole output is in c1.txt, 140\u202f032 characters')
  await expect(saved).toContainText('<b>Barrel</b> 1')
  await expectAccessible(page)
  await gone.getByRole('button', { name: 'Open' }).click()
  await expect(gone).toContainText('c2.txt is not there')
})
