// @ts-check
// A pi session that tries everything that text can try: markup, scripts, escape sequences, marks of direction, template
// and path tricks, a line that is no text, and one of ten megabytes.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const HOSTILE_NAME = '<img src=x onerror=alert(1)> hostile'
export const HOSTILE_TEXT = '<script>document.title="pwned"</script>'

const TEXTS = [
  `${HOSTILE_TEXT}</textarea></style></title><svg onload="document.title='pwned'">`,
  '<a href="javascript:document.title=\'pwned\'">click</a> [x](javascript:alert(1)) ![x](http://evil.example/x.png)',
  '\u001b[2J\u001b]0;pwned\u0007\u009b31m \u202egnp.exe\u202c \u2066\u2069 \u0000\u0008 {{7*7}} <%= 7*7 %> %s%n ../../etc/passwd',
  '\ud800 lone surrogate, combining: e\u0301\u0301\u0301, wide: 港, \u2028 separator',
]

/** @param {string} home folder to be the user's home */
export function writeHostileStore(home) {
  const folder = join(home, '.pi', 'agent', 'sessions', '--home-sam-hostile--')
  mkdirSync(folder, { recursive: true })
  const started = Date.now() - 3 * 86_400_000
  const time = (/** @type {number} */ n) => new Date(started + n * 1000).toISOString()
  /** @type {(string | Buffer)[]} */
  const lines = [
    JSON.stringify({
      type: 'session',
      version: 3,
      id: 'bad0bad0-0000-4000-8000-000000000001',
      timestamp: time(0),
      cwd: '/home/<b>sam</b>',
    }),
    JSON.stringify({
      type: 'session_info',
      id: 'h0',
      parentId: null,
      timestamp: time(1),
      name: HOSTILE_NAME,
    }),
  ]
  let parentId = 'h0'
  const add = (/** @type {object} */ message) => {
    const id = `h${lines.length}`
    lines.push(JSON.stringify({ type: 'message', id, parentId, timestamp: time(lines.length), message }))
    parentId = id
  }
  const model = { api: '<api>', provider: '<b>p</b>', model: '<img src=x onerror=alert(2)>' }
  for (const [i, text] of TEXTS.entries()) {
    add({ role: 'user', content: [{ type: 'text', text }] })
    const call = { type: 'toolCall', id: `c${i}`, name: '<i>tool</i>', arguments: { path: text } }
    const usage = { input: 900 + i * 400, output: 30, cacheRead: 0, cacheWrite: 0 }
    add({
      role: 'assistant',
      content: [{ type: 'thinking', thinking: text }, call],
      ...model,
      usage,
      stopReason: 'toolUse',
    })
    add({
      role: 'toolResult',
      toolCallId: `c${i}`,
      toolName: '<i>tool</i>',
      content: [{ type: 'text', text }],
      isError: false,
    })
  }
  add({
    role: 'user',
    content: [{ type: 'image', data: '"><script>alert(3)</script>', mimeType: 'text/html' }],
  })
  add({ role: 'toolResult', toolCallId: 'nobody', content: [{ type: 'text', text: '<'.repeat(10_000_000) }] })
  lines.push(Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x22]), '{"type":"message","id":')
  const file = join(folder, '2026-01-01T00-00-00-000Z_bad0bad0-0000-4000-8000-000000000001.jsonl')
  writeFileSync(file, Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])))
}
