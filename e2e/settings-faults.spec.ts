import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { OWN_TEXT, STORE_TEXT, test } from './policy-home'
import { BIN, startPlimsoll } from './start-plimsoll'

const BROKEN = `${OWN_TEXT}stores: [\n`
const banner = 'Configuration files with faults'

test.describe('X8 a configuration file that cannot be read', () => {
  test('is named on every page with its place, fixed on Policies, and then the banner is gone', async ({
    page,
    world,
  }) => {
    world.writeOwn(BROKEN)
    for (const path of ['/', '/sessions', '/stores', '/help']) {
      await page.goto(`${world.url}${path}`)
      const alert = page.getByRole('alert', { name: banner })
      await expect(alert).toContainText(world.ownFile)
      await expect(alert).toContainText(/line \d+, column \d+/)
    }
    await page.goto(`${world.url}/`)
    await page.getByRole('alert', { name: banner }).getByRole('link', { name: 'Fix it' }).click()
    const text = page.getByRole('textbox', { name: /^Text of / })
    await expect(text).toHaveValue(BROKEN)
    await expect(page.locator('[data-mark="error"]').first()).toBeVisible()
    await text.fill(OWN_TEXT)
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByRole('alert', { name: banner })).toBeHidden()
    expect(world.readOwn()).toBe(OWN_TEXT)
    await page.goto(`${world.url}/sessions`)
    await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible()
    await expect(page.getByRole('alert', { name: banner })).toBeHidden()
  })

  test('may be a runtime’s own: a dot in the menu, one line on Stores and Policies, in full where the sessions of its store are', async ({
    page,
    world,
  }) => {
    writeFileSync(world.storeFile, STORE_TEXT.replace(/\}\s*$/, ''))
    await page.goto(`${world.url}/stores`)
    const line = page.getByRole('status', { name: 'Settings of stores with faults' })
    await expect(line).toContainText('has a fault')
    await page.goto(`${world.url}/sessions`)
    await expect(line).toHaveCount(0)
    await expect(
      page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name: /^Policies/ }),
    ).toContainText('a settings file has a fault')
    await expect(page.getByRole('row', { name: /Voyage of anchor/ })).toBeVisible()
    const alert = page.getByRole('alert', { name: banner })
    await expect(alert).toBeHidden()
    await page.goto(await world.session('anchor'))
    await expect(alert).toContainText(`${world.storeFile}, line`)
    await expect(alert).not.toContainText('..')
    await alert.getByRole('link', { name: 'Fix it' }).click()
    await expect(page.getByRole('textbox', { name: 'Text of openclaw.json' })).toHaveValue(
      /reserveTokensFloor/,
    )
    await expect(page.locator('[data-mark="error"]').first()).toBeVisible()
  })

  test('ends a reading verb of the command line with 4', ({ world }) => {
    world.writeOwn(BROKEN)
    const env = { ...process.env, PLIMSOLL_CONFIG: world.ownFile }
    const { status, stderr } = spawnSync(process.execPath, [BIN, 'sessions'], { env, encoding: 'utf8' })
    expect(status).toBe(4)
    expect(stderr).toContain(world.ownFile)
  })
})

test.describe('X20 a settings file in the folder that serve was started in', () => {
  test('is passed over until it is trusted, and again after a change of another hand', async ({
    page,
    folder,
    serve,
  }) => {
    const file = join(folder, 'plimsoll.yaml')
    writeFileSync(file, 'policy: { preset: goclaw }\n')
    const { url } = await serve(folder)
    const notices = page.getByRole('list', { name: 'Safety of this dashboard' })
    const text = page.getByRole('textbox', { name: /^Text of / })
    await page.goto(`${url}/policies`)
    await expect(notices).toContainText(`${file} is not obeyed`)
    await expect(notices).toContainText('plimsoll trust')
    await expect(text).toHaveValue('')

    expect((await startPlimsoll(['trust'], folder).ended).code).toBe(0)
    await page.reload()
    await expect(text).toHaveValue('policy: { preset: goclaw }\n')
    await expect(notices).toHaveCount(0)

    await text.fill('policy: { preset: vs7 }\n')
    await page.getByRole('button', { name: 'Review and save' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('plimsoll.yaml is saved.')).toBeVisible()
    await page.reload()
    await expect(text).toHaveValue('policy: { preset: vs7 }\n')
    await expect(notices).toHaveCount(0)

    writeFileSync(file, 'policy: { preset: memfas }\n')
    await page.reload()
    await expect(notices).toContainText('it was changed since you trusted it')
    await expect(text).toHaveValue('')
  })
})

test.describe('X9 the runtime policy', () => {
  test('is what fills are measured against, and is named; a draft moves nothing', async ({ page, world }) => {
    // Of the settings: compaction at 0.7 for the agent main; of the store: a reserve of 25,000.
    await page.goto(`${world.url}/`)
    const card = page.locator('section', { has: page.getByRole('heading', { name: 'Nearest to the line' }) })
    const anchor = card.getByRole('link', { name: /Voyage of capstan/ })
    await expect(anchor).toContainText('of 175k')
    await expect(anchor).toContainText('compact 175k · OpenClaw 2026.2.26, openclaw.json')
    world.writeOwn(OWN_TEXT.replace('at: 0.7', 'at: 0.6'))
    await page.reload()
    await expect(anchor).toContainText('compact 175k · OpenClaw 2026.2.26, openclaw.json')
    await expect(anchor).not.toContainText('past')
    writeFileSync(world.storeFile, STORE_TEXT.replace('25000', '80000'))
    await page.reload()
    await expect(anchor).toContainText('compact 120k · OpenClaw 2026.2.26, openclaw.json')
    await expect(anchor).toContainText('past compact')
    await page.goto(`${world.url}/sessions?sort=fill`)
    const first = page.getByRole('row').nth(1)
    await expect(first).toContainText('Voyage of capstan')
    await expect(
      first.getByTitle(/reserve 80k.*lines of OpenClaw 2026\.2\.26, openclaw\.json/).first(),
    ).toBeAttached()
    await page.goto(await world.session('capstan'))
    await expect(
      page.getByRole('definition').filter({ hasText: '80k OpenClaw 2026.2.26, openclaw.json' }),
    ).toBeVisible()
  })
})

test.describe('a settings file that changes while pages are open', () => {
  test('is heard on the live line, so that fills and lines are read again', async ({ page, world }) => {
    await page.goto(`${world.url}/`)
    await page.evaluate(
      () =>
        new Promise<void>((listening) => {
          const source = new EventSource('/api/live')
          const heard = new Promise<string>((resolve) => {
            // The reader of stores notes the file as well, and says so of its store alone.
            source.addEventListener('change', ({ data }) => {
              if (JSON.parse(data).all) resolve(data)
            })
          })
          Object.assign(window, { heard })
          source.addEventListener('hello', () => listening())
        }),
    )
    writeFileSync(world.storeFile, STORE_TEXT.replace('25000', '60000'))
    const heard = await page.evaluate((): Promise<string> => Reflect.get(window, 'heard'))
    expect(JSON.parse(heard)).toMatchObject({ all: true, stores: true })
  })
})
