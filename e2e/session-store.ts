import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from '@playwright/test'
import { TranscriptBuilder } from '../lib/testing/builders/transcript'
import { type Running, startPlimsoll } from './start-plimsoll'

/** A dashboard over a store of this worker alone, and the way to its sessions. */
export type SessionStore = {
  readonly url: string
  /** The page of the session whose transcript was written under this name. */
  page(name: StoreName): Promise<string>
  /** Adds lines to a transcript, as an agent does. */
  append(name: StoreName, lines: readonly string[]): void
}

export type StoreName = 'steady' | 'hostile' | 'live' | 'quiet'

/** Browser tests that need transcripts of their own: hostile ones, growing ones, ones with known numbers. */
export const test = base.extend<object, { store: SessionStore }>({
  store: [
    async ({ browserName: _browser }, use) => {
      const home = mkdtempSync(join(tmpdir(), 'plimsoll-sessions-'))
      const folder = join(home, 'store')
      mkdirSync(folder)
      for (const [name, text] of Object.entries(transcripts()))
        writeFileSync(join(folder, `${name}.jsonl`), text)
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const running = startPlimsoll(['serve', '--port', String(port)], home, { PLIMSOLL_STORES: folder })
      await running.printed('Plimsoll is at')
      await use({
        url,
        page: (name) => pageOf(url, name),
        append: (name, lines) => appendFileSync(join(folder, `${name}.jsonl`), `${lines.join('\n')}\n`),
      })
      await stop(running)
      rmSync(home, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
})

async function stop(running: Running): Promise<void> {
  running.kill('SIGTERM')
  await running.ended
}

/** Names are the session ids in the headers; the list knows the addresses of their pages. */
async function pageOf(url: string, name: StoreName): Promise<string> {
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(`${url}/api/sessions?q=${NAMES[name]}`)
    const { rows } = (await answer.json()) as { rows: { id: string; title: string }[] }
    const row = rows.find(({ title }) => title.includes(NAMES[name]))
    if (row) return `${url}/sessions/${row.id}`
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`the session ${name} was not read`)
}

const NAMES: { readonly [N in StoreName]: string } = {
  steady: 'Steadyvoyage',
  hostile: 'Hostileharbour',
  live: 'Livelystream',
  quiet: 'Quietberth',
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

function transcripts(): { readonly [N in StoreName]: string } {
  return { steady: steady(), hostile: hostile(), live: live(), quiet: quiet() }
}

/** 60 calls of known size: 1,000 tokens more each, a compaction after call 40. */
function steady(): string {
  const builder = new TranscriptBuilder({ id: 'steady' })
  builder.entry('session_info', { name: NAMES.steady })
  let kept = ''
  for (let n = 1; n <= 60; n++) {
    if (n % 5 === 1) kept = builder.user(`Question ${n}: where is the barrel with the walrus tusks?`)
    if (n === 41) builder.compaction('All barrels were counted.', kept, { tokensBefore: 140_000 })
    const total = n <= 40 ? 100_000 + n * 1_000 : 20_000 + n * 1_000
    builder.assistant(`Answer ${n}`, {
      calls: [`c${n}`],
      usage: { input: 1_000, cacheRead: total - 1_000, output: 50, cost: 0.01 },
    })
    builder.result(`c${n}`, `barrel ${n}: ${'tusk '.repeat(100)}`)
  }
  return builder.text()
}

export const PWNED = '__plimsollWasHere'

function hostile(): string {
  const script = `window.${PWNED}=1`
  const builder = new TranscriptBuilder({ id: 'hostile', cwd: '/w/<b>' })
  builder.entry('session_info', { name: `${NAMES.hostile} <img src=x onerror="${script}">\u202egnp.exe` })
  const user = builder.user(
    `<script>${script}</script><img src=x onerror="${script}">\u001b[2J\u001b[31mred exe\u202egnp.txt [x](javascript:${script})`,
  )
  builder.assistant(`</script><svg onload="${script}">`, {
    calls: ['t1'],
    usage: { input: 1_200, output: 30 },
  })
  builder.result('t1', `BEGIN ${'x'.repeat(10_000_000)} END`)
  builder.assistant('abandoned answer', { usage: { input: 90_000, output: 30 } })
  builder.assistant('the answer that stays', { over: { parentId: user } })
  builder.entry('novel_type', { x: `<b onclick="${script}">1</b>` })
  builder.raw(`{"type":"message","id":"torn","mess`)
  builder.message({
    role: 'user',
    content: [
      { type: 'text', text: 'a picture' },
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
      { type: 'image', data: 'PHN2Zy8+', mimeType: 'image/svg+xml' },
    ],
  })
  builder.assistant('seen', { usage: { input: 3_000, output: 30 }, stop: 'error' })
  return builder.text()
}

function live(): string {
  const builder = new TranscriptBuilder({ id: 'live' })
  builder.entry('session_info', { name: NAMES.live })
  builder.user('hello')
  builder.assistant('first', { usage: { input: 5_000, output: 10 } })
  return builder.text()
}

/** One more question and its answer, for a transcript that grows. */
export function nextCall(n: number, total: number): string[] {
  const builder = new TranscriptBuilder()
  const fields = (id: string, parentId: string) => ({ id, parentId })
  builder.user(`more ${n}`, fields(`u${n}`, n === 1 ? 'e3' : `a${n - 1}`))
  builder.assistant(`answer ${n}`, { usage: { input: total, output: 10 }, over: fields(`a${n}`, `u${n}`) })
  return builder.lines.slice(1)
}

/** Has the form of a credential, and is none. */
export const SECRET = ['gh', 'p_', 'Zx81Qw72Er63Ty54Ui45Op36'].join('')

function quiet(): string {
  const builder = new TranscriptBuilder({ id: 'quiet' })
  builder.entry('session_info', { name: NAMES.quiet })
  builder.user(`Please use ${SECRET} for the barrels.`)
  return builder.text()
}
