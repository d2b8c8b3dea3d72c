import { expect, type Page } from '@playwright/test'
import { expectAccessibleInBothThemes, expectAccessibleLayout, narrowToFit } from './accessible'
import { type MaintainedStore, test } from './maintained-store'

/** As a client of OpenClaw that is alive keeps it: this very process. */
const LOCK = () => JSON.stringify({ pid: process.pid, createdAt: new Date().toISOString() })

async function isLive(page: Page): Promise<void> {
  await expect(page.getByText(/^live/).first()).toBeVisible()
}

async function begin(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'enforce' }).click()
  await page.getByRole('button', { name: /^Apply the plan/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
}

/** Begins a job that waits, since another process has the lock. */
async function beginLocked(page: Page, world: MaintainedStore): Promise<void> {
  world.write('old.jsonl.lock', LOCK())
  await page.goto(await world.page())
  await begin(page)
}

test.describe('X16 jobs', () => {
  test('says that there was none, and shows each one on every open page without a reload', async ({
    page,
    context,
    request,
    unused,
  }) => {
    expect(await (await request.get(`${unused.url}/api/jobs`)).json()).toMatchObject({ open: [], total: 0 })
    await page.goto(`${unused.url}/jobs`)
    await expect(page.getByText('Nothing is under way, and nothing was')).toBeVisible()
    await isLive(page)
    const other = await context.newPage()
    await other.goto(`${unused.url}/stores`)
    for (let n = 1; n <= 5; n++) {
      await other.getByRole('button', { name: 'Read again now' }).click()
      await page.waitForFunction((count) => document.querySelectorAll('main li').length >= count, n)
      const job = page.getByRole('list', { name: 'Ended' }).locator('> li')
      await expect(job).toHaveCount(n)
      await expect(job.first()).toContainText('Read every store')
      await expect(job.first()).toContainText('Looked at 2 stores: nothing has changed.')
    }
    await expect(other.getByText(/Looking at every store now/)).toBeVisible()
  })

  test('a job that waits for a lock shows so on every page, outlives a reload, and is cancelled', async ({
    page,
    world,
  }) => {
    const before = world.contents()
    await beginLocked(page, world)
    const main = page.getByRole('main')
    const indicator = page.getByRole('button', { name: 'Jobs: 1 under way' })
    await expect(indicator).toBeVisible()
    await expect(main.getByText(new RegExp(`Waiting for process ${process.pid}`))).toBeVisible()

    await page.goto(`${world.url}/sessions`)
    await page.reload()
    await indicator.click()
    const panel = page.getByRole('dialog', { name: 'Jobs' })
    const progress = panel.getByRole('progressbar', { name: /^Maintain/ })
    await expect(progress).toHaveAttribute('aria-valuenow', '1')
    await expect(progress).toHaveAttribute('aria-valuemax', '5')
    await panel.getByRole('button', { name: /^Cancel: Maintain/ }).click()
    await expect(page.getByRole('button', { name: 'Jobs: none under way' })).toBeVisible()

    await panel.getByRole('link', { name: 'All jobs' }).click()
    const ended = page.getByRole('list', { name: 'Ended' }).locator('> li').first()
    await expect(ended).toContainText('cancelled')
    await expect(ended).toContainText('nothing was changed')
    world.remove('old.jsonl.lock')
    expect(world.contents()).toEqual(before)
  })

  test('a job whose dashboard was killed is interrupted, and says that nothing was changed', async ({
    page,
    world,
  }) => {
    const before = world.contents()
    await beginLocked(page, world)
    await expect(page.getByRole('main').getByText(/Waiting for process/)).toBeVisible()
    await world.crash()
    world.remove('old.jsonl.lock')
    await page.goto(`${world.url}/jobs`)
    const ended = page.getByRole('list', { name: 'Ended' }).locator('> li').first()
    await expect(ended).toContainText('interrupted')
    await expect(ended).toContainText('no store was changed')
    await expect(page.getByRole('button', { name: 'Jobs: none under way' })).toBeVisible()
    expect(Object.keys(world.contents()).filter((name) => !name.endsWith('.lock'))).toEqual(
      Object.keys(before),
    )
  })

  test('routes list, show and cancel', async ({ request, world }) => {
    expect(await (await request.get(`${world.url}/api/jobs`)).json()).toMatchObject({ open: [] })
    expect((await request.get(`${world.url}/api/jobs/nope`)).status()).toBe(404)
    expect(await (await request.delete(`${world.url}/api/jobs/nope`)).json()).toEqual({
      ok: false,
      message: 'It has ended already.',
    })
  })

  test('axe finds nothing serious on a page with jobs, in both themes and narrow', async ({
    page,
    world,
  }) => {
    await beginLocked(page, world)
    await page.goto(`${world.url}/jobs`)
    await isLive(page)
    await page.getByRole('button', { name: 'Jobs: 1 under way' }).click()
    await expectAccessibleInBothThemes(page)
    await narrowToFit(page)
    await expectAccessibleLayout(page)
  })
})
