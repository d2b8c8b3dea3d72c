import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { OWN_PORT } from './addresses'
import { startPlimsoll } from './start-plimsoll'

test('X15 a page that loses its line to the server says so, and finds it again', async ({ page }) => {
  test.setTimeout(90_000)
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-line-'))
  const port = OWN_PORT + 5
  const start = async () => {
    const running = startPlimsoll(['serve', '--port', String(port)], home)
    await running.printed('Plimsoll is at')
    return running
  }
  const first = await start()
  await page.goto(`http://127.0.0.1:${port}/help`)
  await expect(page.getByText(/^live/).first()).toBeVisible()
  first.kill('SIGTERM')
  await first.ended
  await expect(page.getByText('stale').first()).toBeVisible()
  const second = await start()
  await expect(page.getByText(/^live$/).first()).toBeVisible({ timeout: 20_000 })
  second.kill('SIGTERM')
  await second.ended
  rmSync(home, { recursive: true, force: true })
})
