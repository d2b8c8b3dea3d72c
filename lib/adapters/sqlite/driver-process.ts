import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A value as the driver gives it. Texts are read as blobs: the driver ends the process on text that is not UTF-8. */
export type SqliteValue = number | string | bigint | ArrayBuffer | null
export type SqliteRow = { readonly [column: string]: SqliteValue }

/** One question; see `child.cjs`. */
export type Question =
  /** `copy`: which state of which file this is, where it is not locked; it stays open for the next visit. */
  | { readonly kind: 'open'; readonly name: string; readonly copy: string | null }
  | { readonly kind: 'all'; readonly sql: string; readonly values: readonly (string | number)[] }
  /** `type`, `stored` of all that has the name, then `name`, `hidden` of its columns. */
  | { readonly kind: 'table'; readonly name: string }
  | { readonly kind: 'close' }

type Answer = {
  readonly id: number
  readonly rows?: SqliteRow[]
  readonly error?: { readonly code: string; readonly message: string }
}

/** A question that was answered with an error of the database. */
export class QuestionError extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The process came to an end over a question, or had to be ended. */
export class ProcessLostError extends Error {
  readonly code = 'PROCESS_LOST'
}

/** A process that holds more copies open than this is to be replaced. */
const MOST_COPIES = 100

/** What one question may take; long ones are answered in tenths of a second. Milliseconds. */
const ANSWER_WITHIN = 8_000

/**
 * What one question may work, whatever else the machine does: two million rows, or a log of a gigabyte without an index,
 * take 200 to 300. Milliseconds of processor time.
 */
const MOST_WORK = 2_000

/** How the process ends over a question that works more; on Windows as over any other (`child.cjs`). */
const WORKED_TOO_LONG = 'SIGVTALRM'

const FILE = join('lib', 'adapters', 'sqlite', 'child.cjs')

/** Where the process's file lies, seen from sources, a bundle or the dashboard, which runs in the package's folder. */
function childFile(): string {
  for (const start of [dirname(fileURLToPath(import.meta.url)), process.cwd()]) {
    for (let folder = start; ; folder = dirname(folder)) {
      const file = join(folder, FILE)
      if (existsSync(file)) return file
      if (folder === dirname(folder)) break
    }
  }
  throw new Error(
    `${FILE} was not found beside the program or above the working folder; install Plimsoll anew.`,
  )
}

type Waiting = {
  readonly take: (rows: SqliteRow[]) => void
  readonly fail: (error: Error) => void
}

/**
 * A separate process that queries databases; questions are answered in their order. It does not keep this one from
 * ending, and ends with it.
 */
export class DriverProcess {
  private readonly child: ChildProcess
  private readonly waiting = new Map<number, Waiting>()
  private readonly copies = new Set<string>()
  private lastId = 0
  private lost: ProcessLostError | null = null

  constructor() {
    // Not `fork`: the bundler of the dashboard would look for the file.
    this.child = spawn(process.execPath, ['--max-old-space-size=256', childFile(), String(MOST_WORK)], {
      // Neither a debugger's port nor the operator's variables: the process needs nothing but its own code.
      env: { NODE_ENV: 'production', PATH: process.env.PATH, SystemRoot: process.env.SystemRoot },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.child.unref()
    this.child.channel?.unref()
    this.child.on('message', (answer: Answer) => this.take(answer))
    this.child.on('error', ({ message }) => this.lose(`its process failed: ${message}`))
    this.child.on('exit', (code, signal) =>
      this.lose(
        signal === WORKED_TOO_LONG
          ? `a question about it took more than ${MOST_WORK / 1000} s of processor time`
          : `the process that read it ended (${signal ?? `exit code ${code}`})`,
      ),
    )
  }

  get isUsable(): boolean {
    return this.lost === null && this.copies.size < MOST_COPIES
  }

  /** It holds nothing of a database that it was asked about: another store's may be next. */
  get isFree(): boolean {
    return this.copies.size === 0 && this.waiting.size === 0
  }

  /** @throws QuestionError, ProcessLostError */
  ask(question: Question): Promise<SqliteRow[]> {
    if (question.kind === 'open' && question.copy !== null) this.copies.add(question.copy)
    return new Promise((resolve, reject) => {
      if (this.lost !== null) throw this.lost
      const id = ++this.lastId
      const timer = setTimeout(() => {
        this.lose(`a question about it was not answered within ${ANSWER_WITHIN / 1000} s`)
      }, ANSWER_WITHIN)
      const done = () => {
        clearTimeout(timer)
        this.waiting.delete(id)
      }
      this.waiting.set(id, {
        take: (rows) => {
          done()
          resolve(rows)
        },
        fail: (error) => {
          done()
          reject(error)
        },
      })
      this.child.send({ id, ...question }, (error) => {
        if (error !== null) this.lose(`its process cannot be asked: ${error.message}`)
      })
    })
  }

  end(): void {
    this.lose('its process was ended')
  }

  private take({ id, rows, error }: Answer): void {
    const waiting = this.waiting.get(id)
    if (error === undefined) waiting?.take(rows ?? [])
    else waiting?.fail(new QuestionError(error.code, error.message))
  }

  private lose(why: string): void {
    this.lost ??= new ProcessLostError(why)
    this.child.kill('SIGKILL')
    for (const { fail } of [...this.waiting.values()]) fail(this.lost)
  }
}
