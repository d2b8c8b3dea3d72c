import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runCli } from '../run-cli'
import type { FakeMessages, MessagesRequest } from './fake-messages'
import { sentText } from './fake-messages'
import { installClient } from './install'

/** The release whose transcripts and settings were examined. */
const CLAUDE = { name: `@anthropic-ai/claude-code-${process.platform}-${process.arch}`, version: '2.1.330' }
const TURN_MS = 120_000

/** A home in which the real Claude Code runs, with nothing but a model on loopback to reach. */
export class ClaudeCodeHome {
  readonly folder = mkdtempSync(join(tmpdir(), 'plimsoll-clients-'))
  readonly #program = join(installClient(CLAUDE.name, CLAUDE.version), 'claude')
  readonly #model: FakeMessages

  /** @param settings text of its `settings.json`; null: there is none */
  constructor(model: FakeMessages, settings: string | null = null) {
    this.#model = model
    mkdirSync(join(this.folder, 'work'))
    mkdirSync(join(this.folder, '.claude'))
    if (settings !== null) writeFileSync(this.settings, settings)
  }

  get settings(): string {
    return join(this.folder, '.claude', 'settings.json')
  }

  get projects(): string {
    return join(this.folder, '.claude', 'projects')
  }

  /** The one transcript that there is. */
  get transcript(): string {
    const project = join(this.projects, readdirSync(this.projects)[0] ?? '')
    return join(project, readdirSync(project).find((name) => name.endsWith('.jsonl')) ?? '')
  }

  /** A turn of the client; answers the requests that it made, and the last one that holds the prompt. */
  async turn(
    prompt: string,
    ...options: string[]
  ): Promise<{ readonly made: readonly MessagesRequest[]; readonly last: MessagesRequest }> {
    const before = this.#model.requests.length
    const closed = 'http://127.0.0.1:9'
    const running = promisify(execFile)(
      this.#program,
      ['-p', prompt, ...options, '--output-format', 'json', '--permission-mode', 'bypassPermissions'],
      {
        cwd: join(this.folder, 'work'),
        env: {
          ...{ NODE_ENV: 'test' as const, PATH: process.env.PATH, HOME: this.folder, IS_SANDBOX: '1' },
          ...{ ANTHROPIC_BASE_URL: this.#model.url, ANTHROPIC_API_KEY: 'sk-ant-fake' },
          ...{ DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1', DISABLE_ERROR_REPORTING: '1' },
          ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
          ...{ HTTPS_PROXY: closed, HTTP_PROXY: closed, NO_PROXY: '127.0.0.1' },
        },
        timeout: TURN_MS,
      },
    )
    // It reads what is on standard input first.
    running.child.stdin?.end()
    await running
    const made = this.#model.requests.slice(before)
    const last = made.findLast(({ messages }) =>
      messages.some((message) => message.role === 'user' && sentText(message).includes(prompt)),
    )
    if (last === undefined) throw new Error(`${prompt} was not asked`)
    return { made, last }
  }

  /** As if no process had written to the transcript for a while. */
  rest(): void {
    const at = Date.now() / 1000 - 600
    utimesSync(this.transcript, at, at)
  }

  /** Our command line in this home, with `--json`. */
  async plimsoll(...argv: string[]) {
    const env = { HOME: this.folder, PLIMSOLL_HOME: join(this.folder, 'state') }
    const { code, stdout, stderr } = await runCli([...argv, '--json'], { env })
    return { code, stderr, value: stdout === '' ? null : JSON.parse(stdout) }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
