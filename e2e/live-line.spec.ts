import { expect } from '@playwright/test'
import { test } from './world'

test('X15 a page that loses its line to the server says so, and finds it again', async ({
  page,
  folder,
  serve,
}) => {
  const first = await serve(folder)
  await page.goto(`${first.url}/help`)
  await expect(page.getByText(/^live/).first()).toBeVisible()
  await first.stop()
  await expect(page.getByText('stale').first()).toBeVisible()
  await serve(folder, {}, { port: first.port })
  await expect(page.getByText(/^live$/).first()).toBeVisible()
})
