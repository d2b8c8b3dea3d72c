import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TranscriptBuilder } from '../lib/testing/builders/transcript'
import { sessionPage } from './ask'
import { dashboard } from './world'

/** A dashboard over a store of this worker, and the way to its sessions. */
export type SessionStore = {
  readonly url: string
  /** The page of the session whose transcript was written under this name. */
  page(name: StoreName): Promise<string>
  /** Adds lines to a transcript, as an agent does. */
  append(name: StoreName, lines: readonly string[]): void
}

type StoreName = 'steady' | 'hostile' | 'live' | 'quiet'

/** Browser tests that need their own transcripts: hostile ones, growing ones, ones with known numbers. */
export const test = dashboard({
  name: 'sessions',
  write: (folder) => {
    const store = join(folder, 'store')
    mkdirSync(store)
    for (const [name, text] of Object.entries(transcripts()))
      writeFileSync(join(store, `${name}.jsonl`), text)
    return { PLIMSOLL_STORES: store }
  },
  view: ({ url, folder }): SessionStore => ({
    url,
    // Names are in the titles; the list knows the addresses of their pages.
    page: (name) => sessionPage(url, ({ title }) => title.includes(NAMES[name]), `?q=${NAMES[name]}`),
    append: (name, lines) => appendFileSync(join(folder, 'store', `${name}.jsonl`), `${lines.join('\n')}\n`),
  }),
})

const NAMES: { readonly [N in StoreName]: string } = {
  steady: 'Steadyvoyage',
  hostile: 'Hostileharbour',
  live: 'Livelystream',
  quiet: 'Quietberth',
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
