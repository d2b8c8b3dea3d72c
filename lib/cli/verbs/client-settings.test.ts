import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ClaudeCodeBuilder } from '../../testing/builders/foreign-lines'
import { runCli } from '../../testing/run-cli'
import { temporaryFolder } from '../../testing/store-folder'

/** A home with one session of Claude Code and one of Codex. */
function home(settings: object | string, config = '') {
  const folder = temporaryFolder()
  const projects = join(folder, '.claude', 'projects', '-w')
  const day = join(folder, '.codex', 'sessions', '2026', '11', '22')
  for (const one of [projects, day]) mkdirSync(one, { recursive: true })
  const lines = new ClaudeCodeBuilder('2.1.330')
  lines.user('Hello')
  lines.answer('m1', { type: 'text', text: 'Hi.' }, { input: 120_000, output: 9 })
  writeFileSync(join(projects, 's1.jsonl'), lines.text())
  const text = typeof settings === 'string' ? settings : JSON.stringify(settings, null, 1)
  writeFileSync(join(folder, '.claude', 'settings.json'), text)
  const meta = { id: '01a2041f-555f-7543-8689-16f7e72d3d2c', cwd: '/w', cli_version: '0.169.0' }
  const usage = { input_tokens: 20_000, cached_input_tokens: 0, output_tokens: 50, total_tokens: 20_050 }
  const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }
  const rollout = [
    { type: 'session_meta', payload: meta },
    { type: 'turn_context', payload: { model: 'gpt-5.5' } },
    { type: 'response_item', payload: item },
    {
      type: 'event_msg',
      payload: {
        type: 'token_count',
        info: { total_token_usage: usage, last_token_usage: usage, model_context_window: 258_400 },
      },
    },
  ].map((line) => JSON.stringify({ timestamp: '2026-11-22T16:38:12.113Z', ...line }))
  writeFileSync(join(day, `rollout-2026-11-22T16-38-12-${meta.id}.jsonl`), `${rollout.join('\n')}\n`)
  writeFileSync(join(folder, '.codex', 'config.toml'), config)
  const env = { HOME: folder, PLIMSOLL_HOME: join(folder, 'state') }
  const run = async (...argv: string[]) => runCli(argv, { env, cwd: folder })
  return { folder, run, claude: 's1', codex: meta.id }
}

describe('the settings of Claude Code and Codex are in force', () => {
  it('status and policy show name the release, the line and the setting that moves it', async () => {
    const { folder, run, claude } = home({ autoCompactWindow: 150_000, env: { API_KEY: 'x' } })
    const { stdout } = await run('policy', 'show', claude, '--json')
    const shown = JSON.parse(stdout)
    const file = join(folder, '.claude', 'settings.json')
    expect(shown.runtimePolicy).toMatchObject({
      name: 'Claude Code 2.1.330',
      files: [file],
      client: { window: 150_000, settings: [{ key: 'autoCompactWindow', file, line: 2 }] },
    })
    expect(shown.loadLines).toEqual([{ name: 'compact', tokens: 117_000, pct: 11.7 }])
    const status = await run('status', claude)
    expect(status.stdout).toContain(
      `set: autoCompactWindow = 150 000, ${file} line 2`.replaceAll(' 000', '\u202f000'),
    )
    expect(status.stdout).toContain('is passed')
  })

  it("Codex's limit is taken from its config.toml", async () => {
    const { run, codex } = home({}, 'model_auto_compact_token_limit = 24000\n')
    const { loadLines, runtimePolicy } = JSON.parse((await run('policy', 'show', codex, '--json')).stdout)
    expect(runtimePolicy.name).toBe('Codex 0.169.0')
    expect(loadLines).toMatchObject([{ name: 'compact', tokens: 24_000 }])
  })

  it('a file that cannot be parsed is named by its line, and stops no other store', async () => {
    const { folder, run, claude, codex } = home('{\n "autoCompactWindow": }\n', 'a = \n')
    const broken = await run('status', claude)
    expect(broken.code).toBe(4)
    expect(broken.stderr).toContain(`${join(folder, '.claude', 'settings.json')}:2:`)
    expect((await run('status', codex)).stderr).toContain(`${join(folder, '.codex', 'config.toml')}:1:`)
    const listed = await run('sessions', '--json')
    expect(JSON.parse(listed.stdout).sessions ?? JSON.parse(listed.stdout)).toHaveLength(2)
    const check = await run('policy', 'check')
    expect([check.code, check.stdout]).toMatchObject([1, expect.stringContaining('settings.json:2:')])
  })

  it("a switch in the client's own notes counts where no settings say otherwise", async () => {
    const { folder, run, claude } = home({})
    writeFileSync(join(folder, '.claude.json'), JSON.stringify({ autoCompactEnabled: false, projects: {} }))
    const { loadLines, runtimePolicy } = JSON.parse((await run('policy', 'show', claude, '--json')).stdout)
    expect([loadLines, runtimePolicy.files[0]]).toEqual([[], join(folder, '.claude.json')])
    writeFileSync(join(folder, '.claude', 'settings.json'), '{"autoCompactEnabled": true}')
    expect(JSON.parse((await run('policy', 'show', claude, '--json')).stdout).loadLines).toHaveLength(1)
  })
})
