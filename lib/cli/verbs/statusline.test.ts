import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ClaudeCodeBuilder } from '../../testing/builders/foreign-lines'
import { runCli } from '../../testing/run-cli'
import { temporaryFolder } from '../../testing/store-folder'

const SONNET = { model: { id: 'claude-sonnet-4-5' }, context_window: { context_window_size: 200_000 } }

/** Calls whose prompts grow by 1,000 tokens from `first` on, all of it from the cache but the last thousand. */
function calls(builder: ClaudeCodeBuilder, first: number, count: number, over = {}): void {
  for (let i = 0; i < count; i++) {
    const read = first + (i - 1) * 1000
    builder.user('Go on.')
    builder.answer(`m${first}-${i}`, { type: 'text', text: 'Yes.' }, { read, write: 1000, output: 100 }, over)
  }
}

async function line(builder: ClaudeCodeBuilder | null, given: object = SONNET, ...argv: string[]) {
  return lineWith({}, builder, given, ...argv)
}

/** The same, run by a Claude Code with these variables. */
async function lineWith(
  variables: Record<string, string>,
  builder: ClaudeCodeBuilder | null,
  given: object = SONNET,
  ...argv: string[]
) {
  const folder = temporaryFolder()
  const transcript = join(folder, 's1.jsonl')
  if (builder !== null) writeFileSync(transcript, builder.text())
  const stdin = JSON.stringify({ session_id: 's1', transcript_path: transcript, cwd: folder, ...given })
  const env = { HOME: folder, PLIMSOLL_HOME: join(folder, 'state'), ...variables }
  const run = await runCli(['statusline', ...argv], { env, cwd: folder, stdin })
  expect(readdirSync(folder)).toEqual(builder === null ? [] : ['s1.jsonl'])
  if (builder !== null) expect(readFileSync(transcript, 'utf8')).toBe(builder.text())
  expect([run.code, run.stderr]).toEqual([0, ''])
  return run.stdout
}

const plain = (text: string) => text.replaceAll('\u202f', ' ')

describe('plimsoll statusline', () => {
  it('says fill against the line, calls to go, and both prices', async () => {
    const builder = new ClaudeCodeBuilder()
    calls(builder, 100_000, 6, { timestamp: new Date().toISOString() })
    // 105,000 and an answer of 100 against 200,000 − 33,000; 61,900 tokens at 1,000 a call.
    // $0.3 per million read, $3.75 written, $15 answered: 0.0315 + 0.000375 + 0.0015, and 0.394125 + 0.0015.
    expect(plain(await line(builder))).toBe(
      '≈ 105k of 167k (63 %) · ≈ 62 calls to go · next ≈ $0.033, ≈ $0.40 once the cache has gone\n',
    )
  })

  it('takes the line from the settings and variables of the client that runs it', async () => {
    const builder = new ClaudeCodeBuilder()
    calls(builder, 100_000, 6)
    const config = temporaryFolder()
    writeFileSync(join(config, 'settings.json'), '{"autoCompactWindow": 160000}')
    expect(plain(await lineWith({ CLAUDE_CONFIG_DIR: config }, builder))).toContain('≈ 105k of 127k')
    const variables = { CLAUDE_CONFIG_DIR: config, CLAUDE_CODE_AUTO_COMPACT_WINDOW: '180k' }
    expect(plain(await lineWith(variables, builder))).toContain('≈ 105k of 147k')
    expect(plain(await lineWith({ DISABLE_AUTO_COMPACT: '1' }, builder))).not.toContain('167k')
  })

  it("takes the settings of the project that the client names, between the user's and its variables", async () => {
    const builder = new ClaudeCodeBuilder()
    calls(builder, 100_000, 6)
    const [config, project] = [temporaryFolder(), temporaryFolder()]
    writeFileSync(join(config, 'settings.json'), '{"autoCompactWindow": 160000}')
    mkdirSync(join(project, '.claude'))
    const shared = join(project, '.claude', 'settings.json')
    const local = join(project, '.claude', 'settings.local.json')
    const given = { ...SONNET, workspace: { current_dir: '/', project_dir: project } }
    const variables = { CLAUDE_CONFIG_DIR: config }
    expect(plain(await lineWith(variables, builder, given))).toContain('of 127k')
    writeFileSync(shared, '{"autoCompactWindow": 170000}')
    expect(plain(await lineWith(variables, builder, given))).toContain('of 137k')
    writeFileSync(local, '{"autoCompactWindow": 180000}')
    expect(plain(await lineWith(variables, builder, given))).toContain('of 147k')
    const more = { ...variables, CLAUDE_CODE_AUTO_COMPACT_WINDOW: '190k' }
    expect(plain(await lineWith(more, builder, given))).toContain('of 157k')
    const relative = { ...SONNET, workspace: { project_dir: '.' } }
    expect(plain(await lineWith(variables, builder, relative))).toContain('of 127k')
    writeFileSync(shared, 'no JSON')
    expect(plain(await lineWith(variables, builder, given))).toContain('of 147k')
  })

  it('says that the cache has gone', async () => {
    const builder = new ClaudeCodeBuilder()
    calls(builder, 100_000, 6)
    expect(plain(await line(builder))).toContain('next ≈ $0.40, cache gone\n')
  })

  it('counts what came behind the last call, between its records as well', async () => {
    const builder = new ClaudeCodeBuilder()
    builder.user('Never counted again. '.repeat(1000))
    const usage = { read: 50_000, output: 100 }
    builder.answer('m1', { type: 'tool_use', id: 'a', name: 'Bash', input: {} }, usage)
    builder.result('a', 'berth '.repeat(4000))
    builder.answer('m1', { type: 'tool_use', id: 'b', name: 'Bash', input: {} }, usage)
    builder.result('b', 'berth '.repeat(4000))
    const value = JSON.parse(await line(builder, SONNET, '--json'))
    expect(value).toMatchObject({ line: 167_000, callsToGo: null, next: { basis: 'estimated' } })
    const since = value.next.value - 50_100
    expect(since).toBeGreaterThan(7000)
    expect(since).toBeLessThan(14_000)
  })

  it('is due past the line', async () => {
    const builder = new ClaudeCodeBuilder()
    calls(builder, 165_000, 6)
    expect(plain(await line(builder))).toMatch(/^≈ 170k of 167k \(102 %\) · compaction is due · /)
  })

  it('does not know the next prompt right behind a compaction, and starts anew after it', async () => {
    const builder = new ClaudeCodeBuilder()
    calls(builder, 100_000, 6)
    builder.line('system', {
      subtype: 'compact_boundary',
      compactMetadata: { trigger: 'auto', preTokens: 9 },
    })
    builder.user('The summary.', { isCompactSummary: true })
    // What Claude Code says of the call before it is out of date.
    const stale = { ...SONNET.context_window, current_usage: { input_tokens: 105_000 } }
    const given = { ...SONNET, context_window: stale }
    expect(await line(builder, given)).toBe('? of 167k · ? calls to go · next $ ?, cache unknown\n')
    calls(builder, 20_000, 4)
    const value = JSON.parse(await line(builder, SONNET, '--json'))
    expect(value).toMatchObject({ next: { value: 23_100 }, callsToGo: 144 })
  })

  it('goes by what Claude Code says before there is a transcript, and says what is assumed', async () => {
    const current_usage = { input_tokens: 10, cache_read_input_tokens: 40_000, output_tokens: 90 }
    const given = { model: { id: 'no-such-model' }, context_window: { current_usage } }
    expect(plain(await line(null, given))).toBe(
      '≈ 40.1k of 167k (24 %), window assumed · ? calls to go · next $ ?, cache unknown\n',
    )
  })

  it('knows the window of a million tokens', async () => {
    const builder = new ClaudeCodeBuilder()
    calls(builder, 100_000, 6)
    expect(await line(builder, { model: { id: 'claude-sonnet-4-5[1m]' } })).toContain(' of 967k ')
  })

  it.each(['', 'null', '[]', '{', '"x"', '\u0000', '{"model":'])(
    'answers %j with one line and 0',
    async (stdin) => {
      const home = temporaryFolder()
      const run = await runCli(['statusline'], { env: { HOME: home }, stdin })
      expect(run.code).toBe(0)
      expect(run.stdout).toBe('plimsoll: no session: standard input holds no JSON of Claude Code\n')
    },
  )

  it.each([
    { transcript_path: 7, model: null, context_window: { current_usage: 'x', context_window_size: -1 } },
    { transcript_path: '/', model: { id: '\u001b[2J' } },
    { transcript_path: 'a\u0000b', model: 'x' },
  ])('survives hostile fields %#', async (given) => {
    const shown = await line(null, given)
    expect(shown).toMatch(/^\? of 167k, window assumed · [^\n]*\n$/)
    expect(shown).not.toContain('\u001b')
  })

  it('does not wait for a pipe, and passes over lines that are torn or of no kind it knows', async () => {
    const folder = temporaryFolder()
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    expect(await line(null, { ...SONNET, transcript_path: pipe })).toContain('? of 167k')
    const builder = new ClaudeCodeBuilder()
    calls(builder, 100_000, 6)
    builder.lines.push('null', '[]', '{"type":"assistant","message":{"id":7,"usage":"x"}}', '{"type":"us')
    expect(await line(builder)).toContain('≈ 105k of 167k')
  })
})
