import { expect } from '@playwright/test'
import { SIGNED_IN } from './start-plimsoll'
import { test } from './world'

test('X15 a page that loses its line to the server says so, and finds it again; a server that ends closes its lines in good order', async ({
  page,
  folder,
  serve,
}) => {
  const first = await serve(folder)
  await page.goto(`${first.url}/help`)
  await expect(page.getByText(/^live/).first()).toBeVisible()
  const line = await fetch(`${first.url}/api/live`, SIGNED_IN)
  const heard = line.text()
  // The first signal waits for no line.
  await first.stop()
  // A line that was cut off by the end of its server would be an error.
  expect(await heard).toContain('event: hello')
  await expect(page.getByText('stale').first()).toBeVisible()
  await serve(folder, {}, { port: first.port })
  await expect(page.getByText(/^live$/).first()).toBeVisible()
})
