import { createHash } from 'node:crypto'
import { expect, type Page } from '@playwright/test'
import { expectAccessible, expectAccessibleAt, LOOKS, showLook } from './accessible'
import { test } from './compact-store'

/** As a client of OpenClaw that is alive keeps it: this very process. */
const LOCK = () => JSON.stringify({ pid: process.pid, createdAt: new Date().toISOString() })

/** Each text that the size behind a result has from now on, in order. */
async function shownSizes(page: Page): Promise<() => Promise<string[]>> {
  const texts = await page.evaluateHandle(() => {
    const seen: string[] = []
    new MutationObserver(() => {
      const text = document.querySelector('[data-testid=result-size]')?.textContent
      if (text && text !== seen.at(-1)) seen.push(text)
    }).observe(document, { subtree: true, childList: true, characterData: true })
    return seen
  })
  return () => texts.jsonValue()
}

async function setKeep(page: Page, tokens: string): Promise<void> {
  const input = page.getByRole('textbox', { name: 'Keep recent' })
  await input.fill(tokens)
  await input.press('Enter')
}

test.describe('X8 compaction', () => {
  test('a dry run follows the knobs, shows digest and losses, and writes nothing', async ({
    page,
    world,
  }) => {
    const before = world.hashes()
    await page.goto(`${await world.session()}/compact`)
    const plan = page.getByTestId('plan')
    await expect(plan).toContainText('Summarised')
    const kept = plan.locator('[data-action=keep] .tnum').first()
    const first = await kept.textContent()

    await setKeep(page, '4000')
    await expect(kept).not.toHaveText(first ?? '')
    await expect(page).toHaveURL(/compaction\.keepRecentTokens=4000/)

    await setKeep(page, 'many')
    await expect(page.getByRole('alert').filter({ hasText: 'not allowed here' })).toBeVisible()
    await page.getByLabel('Begin from').selectOption('proactive')
    await expect(page).toHaveURL(/base=proactive/)

    await page.getByRole('button', { name: 'Preview' }).click()
    await expect(page.getByTestId('digest')).toContainText('## Goal')
    await expect(page.getByTestId('would-lose')).toContainText(/of \d+ names/)

    const chunks = page.getByTestId('chunks')
    await plan.getByRole('button', { name: /^Kept/ }).click()
    await expect(chunks.locator('tr[data-action=summarise]')).toHaveCount(0)
    await chunks
      .getByRole('button', { name: /^Open line/ })
      .first()
      .click()
    await expect(page.getByTestId('source-place')).toContainText(`${world.id}.jsonl:`)
    expect(world.hashes()).toEqual(before)
  })

  test('has the draft, the files and each preset side by side, and tries the one that is chosen', async ({
    page,
    world,
  }) => {
    await page.goto(`${await world.session()}/compact?compaction.keepRecentTokens=3000`)
    const table = page.getByRole('region', { name: 'Policies side by side' })
    await expect(table.getByRole('row', { name: /^this draft/ })).toBeVisible()
    await page.getByRole('button', { name: 'Count lost names' }).click()
    await expect(table.getByRole('row', { name: /^this draft/ })).toContainText(/\d+ of \d+/)
    await table.getByRole('button', { name: 'Try preset memfas' }).click()
    await expect(page).toHaveURL(/base=memfas/)
    await expect(page.getByLabel('Begin from')).toHaveValue('memfas')
  })

  test('the plan of a link is at its call with its knobs, and can not be run there', async ({
    page,
    world,
  }) => {
    await page.goto(`${await world.session()}/compact?call=30&compaction.keepRecentTokens=3000`)
    await expect(page.getByRole('heading', { name: 'Plan at call 30' })).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Keep recent' })).toHaveValue('3000')
    await expect(page.getByRole('button', { name: 'Run compaction…' })).toBeDisabled()
  })

  test('E11: the checkpoint that the agent keeps is the summary, unless one is wanted for a focus', async ({
    page,
    world,
  }) => {
    const memory = {
      session: world.id,
      state: null,
      checkpoints: [
        {
          id: '1',
          session: world.id,
          at: Date.now(),
          uptoEntryId: 'a35',
          uptoSeq: 143,
          covered: 50_000,
          tokens: 30,
          body: { summary: 'Thirty-five berths are checked.', topics: [], decisions: [], questions: [] },
        },
      ],
    }
    const name = createHash('sha256').update(world.id).digest('hex').slice(0, 32)
    world.remember(`${name}.json`, JSON.stringify(memory))
    await page.goto(`${await world.session()}/compact?compaction.keepRecentTokens=2000`)
    const plan = page.getByTestId('plan')
    await expect(plan).toContainText('the agent’s own checkpoint')
    await expect(plan.locator('[data-rule=checkpoint]')).toBeVisible()
    await page.getByRole('button', { name: 'Preview' }).click()
    await expect(page.getByTestId('digest')).toContainText('Thirty-five berths are checked.')
    await expect(page.getByTestId('would-lose')).toContainText(/of \d+ names/)
    const focus = page.getByRole('textbox', { name: 'Focus' })
    await focus.fill('berth 9')
    await focus.press('Enter')
    await expect(plan).not.toContainText('the agent’s own checkpoint')
  })

  test('runs with a receipt, says that nothing is left to compact, and is taken back byte for byte', async ({
    page,
    world,
  }) => {
    const before = world.text()
    const session = await world.session()
    await page.goto(`${session}/compact?compaction.keepRecentTokens=4000`)
    await page.getByRole('button', { name: 'Run compaction…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Compact this session?' })
    await expect(dialog).toContainText(world.file)
    const sizes = await shownSizes(page)
    await expect(dialog).toContainText('backups')
    await expect(dialog).toContainText('No model is asked')
    expect(world.text()).toBe(before)
    await dialog.getByRole('button', { name: 'Compact', exact: true }).click()

    await expect(page.getByText('Compacted and verified')).toBeVisible()
    expect(world.text().startsWith(before)).toBe(true)
    expect(world.text().slice(before.length)).toContain('"type":"compaction"')
    const result = page.getByRole('region', { name: 'Result' })
    await expect(result).toBeFocused()
    await expect(result.getByTestId('result-size')).toHaveText(/^In the window now: [\d\u202f\s]+tokens/)
    // The size before the compaction was never shown as the one after it.
    const shown = (await sizes()).filter((text) => text !== 'In the window now: it is being read')
    expect(new Set(shown).size).toBe(1)
    await expect(result.getByRole('button', { name: /^Undo/ })).toBeVisible()
    await expect(page.getByTestId('plan')).toHaveCount(0)
    await result.getByRole('button', { name: 'Plan again' }).click()
    await expect(page.getByText('Nothing to compact: the last entry is a compaction')).toBeVisible()

    await page.getByRole('link', { name: /^Compactions\d/ }).click()
    const list = page.getByRole('table', { name: 'Compactions, newest first' })
    await expect(list).toContainText('made with Plimsoll')
    await list.getByRole('button', { name: /^Open summary and losses/ }).click()
    await expect(page.getByTestId('summary')).toContainText('## Goal')
    await expect(page.getByTestId('losses')).toContainText(/of \d+ names/)
    await expectAccessible(page)

    await list.getByRole('button', { name: /^Undo/ }).click()
    const undo = page.getByRole('dialog', { name: 'Take this write back?' })
    await undo.getByRole('button', { name: 'Take it back' }).click()
    await expect(undo.getByRole('status')).toContainText('Taken back')
    expect(world.text()).toBe(before)
    await undo.getByRole('button', { name: 'Close' }).last().click()
    await expect(page.getByText('This session was never compacted or reset')).toBeVisible()
  })

  test('names who holds the session, waits for it, and can be cancelled', async ({ page, world }) => {
    const before = world.text()
    world.write(`${world.id}.jsonl.lock`, LOCK())
    await page.goto(`${await world.session()}/compact`)
    await expect(page.getByTestId('lock')).toContainText(`process ${process.pid}`)
    await page.getByRole('button', { name: 'Run compaction…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Compact', exact: true }).click()
    await page
      .getByRole('button', { name: /^Cancel: Compact/ })
      .first()
      .click()
    await expect(page.getByText(/nothing was changed|before anything was changed/i).first()).toBeVisible()
    expect(world.text()).toBe(before)
    world.remove(`${world.id}.jsonl.lock`)
  })

  test('works at 360 px and passes the accessibility check in both themes', async ({ page, world }) => {
    const session = await world.session()
    for (const look of LOOKS) {
      await showLook(page, look)
      await page.goto(`${session}/compact`)
      await expect(page.getByTestId('plan')).toBeVisible()
      await page.getByRole('button', { name: 'Preview' }).click()
      await expect(page.getByTestId('digest')).toBeVisible()
      await expectAccessibleAt(page, look[1])
    }
  })
})
