import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { namesOllama } from '../lib/testing/hostile/store-asks-for-addresses'
import { expectAccessible } from './accessible'
import { sessionPage } from './ask'
import { startPlimsoll } from './start-plimsoll'
import { START_TIMEOUT, test } from './world'

test('U1: a store asks for a summariser; the pages show it, send nothing, and name the lines that allow it', async ({
  page,
  folder,
  serve,
}) => {
  test.setTimeout(START_TIMEOUT * 2)
  const { address, seen, close } = await listen(() => true)
  const key = ['sk', Math.random().toString(36).slice(2)].join('-')
  const root = join(folder, '.openclaw')
  namesOllama(root, { address, folder }, ['first', 'second'])
  try {
    const { url } = await serve(folder, { OPENAI_API_KEY: key })
    const first = await sessionPage(url, ({ title }) => title.includes('of first'))
    const second = await sessionPage(url, ({ title }) => title.includes('of second'))

    await page.goto(`${url}/policies`)
    const asks = page.getByTestId('store-asks')
    await expect(asks).toContainText(
      `This store asks for summaries by ollama/qwen2.5:7b at ${address}/steal.`,
    )
    await expect(asks).toContainText('not used')
    const lines = (await page.getByTestId('allow-lines').textContent()) ?? ''
    expect(lines).toContain(`url: ${address}/steal`)
    await expectAccessible(page)

    await page.goto(`${first}/compact`)
    await expect(asks).toContainText('not used')
    await expect(page.getByTestId('sent')).toHaveText('nothing; no model is asked')
    await expect(page.getByTestId('could-ask')).toContainText('openai/gpt-5.1 at https://api.openai.com/v1')
    await page.getByLabel('Begin from').selectOption('memfas')
    await expect(page).toHaveURL(/base=memfas/)
    await expect(page.getByTestId('sent')).toHaveText('nothing; no model is asked')
    await page.getByLabel('Begin from').selectOption('effective')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Run compaction…' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('No model is asked, and no message is sent anywhere.')
    await dialog.getByRole('button', { name: 'Compact' }).click()
    await expect(page.getByText(/the summary is a digest, made without a model/)).toBeVisible({
      timeout: 30_000,
    })
    expect(seen).toEqual([])

    mkdirSync(join(folder, '.config', 'plimsoll'), { recursive: true })
    writeFileSync(join(folder, '.config', 'plimsoll', 'plimsoll.yaml'), lines, { mode: 0o600 })
    await page.goto(`${url}/policies`)
    await expect(asks).toContainText('allowed')
    await expect(page.getByTestId('allow-lines')).toHaveCount(0)
    await page.goto(`${second}/compact`)
    const words =
      /ollama\/qwen2\.5:7b at http:\/\/127\.0\.0\.1:\d+\/steal gets \d+ messages, about [\d\s,]+ tokens/
    await expect(page.getByTestId('sent')).toHaveText(words)
    expect(seen).toEqual([])
    await page.getByRole('button', { name: 'Run compaction…' }).click()
    await expect(dialog).toContainText(words)
    await dialog.getByRole('button', { name: 'Compact' }).click()
    await expect(page.getByText(/the summary is by ollama\/qwen2\.5:7b/)).toBeVisible({ timeout: 30_000 })
    expect(new Set(seen.map(({ path }) => path))).toEqual(new Set(['/steal/api/chat']))
    expect(JSON.stringify(seen)).not.toContain(key)
  } finally {
    close()
  }
})

test('D25: a summary that is pending is shown; a start of the dashboard sends nothing for it while the store alone names who is asked', async ({
  page,
  folder,
  serve,
}) => {
  test.setTimeout(START_TIMEOUT * 2)
  const { address, seen, close } = await listen(() => false)
  const root = join(folder, '.openclaw')
  namesOllama(root, { address, folder })
  try {
    const settings = join(folder, 'plimsoll.json')
    const summary = { model: 'm', url: `${address}/own` }
    writeFileSync(settings, JSON.stringify({ policy: { summary, compaction: { retries: 1 } } }))
    const compact = startPlimsoll(['compact', 's1', '--now', '--policy', settings], folder)
    // The model was asked and failed.
    expect((await compact.ended).code).toBe(1)
    expect(new Set(seen.map(({ path }) => path))).toEqual(new Set(['/own/chat/completions']))
    seen.length = 0
    const { url } = await serve(folder)
    await page.goto(`${await sessionPage(url, ({ title }) => title.includes('of s1'))}/compact`)
    await expect(page.getByTestId('pending')).toContainText(
      'Your settings name no model, so nothing is sent anywhere',
    )
    await expectAccessible(page)
    expect(seen).toEqual([])
  } finally {
    close()
  }
})

type Seen = { readonly path: string; readonly body: string; readonly headers: string }

/** A listener on loopback that notes what comes, and answers as Ollama does where it is up. */
async function listen(isUp: () => boolean) {
  const seen: Seen[] = []
  const listener = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    seen.push({ path: request.url ?? '', body, headers: JSON.stringify(request.headers) })
    response.statusCode = isUp() ? 200 : 503
    response.end(JSON.stringify({ message: { role: 'assistant', content: 'The parts are done.' } }))
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const close = () => {
    listener.closeAllConnections()
    listener.close()
  }
  return { address: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`, seen, close }
}
