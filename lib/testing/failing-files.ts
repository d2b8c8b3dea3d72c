import type { OpenFile, WriteFiles } from '../engine/write/write-ports'

/** The end of the process: after it, no system call happens any more. */
export class Killed extends Error {
  override readonly name = 'Killed'
}

/** What happens at one system call. `before`, `after`: the process ends there; `half`: in the middle of a write. */
export type InjectedFault =
  | { readonly at: number; readonly kind: 'before' | 'half' | 'after' }
  | { readonly at: number; readonly code: string }

export type FailingFiles = {
  readonly files: WriteFiles
  /** Names of the calls so far, e.g. `rename /store/a.jsonl`. */
  readonly calls: readonly string[]
  readonly killed: () => boolean
}

/** The end of the process, as one kind of fault. */
export type ProcessEnd = Extract<InjectedFault, { readonly kind: string }>

/** Calls that leave the disk as it is: whoever ends before or after one leaves the same behind. */
const READING = /^(stat|fstat|realpath|access|read|readdir|open|close) /

/** Every end that a process with these calls can come to and that leaves another disk behind than all the others do. */
export function endsOf(calls: readonly string[]): ProcessEnd[] {
  const ends = calls.flatMap((call, at): ProcessEnd[] => {
    if (READING.test(call)) return []
    const half = call.startsWith('write ') ? [{ at, kind: 'half' } as const] : []
    return [...half, { at, kind: 'after' }]
  })
  return [{ at: 0, kind: 'before' }, ...ends]
}

/** A moment at which the process could end. `half`: what a write that ends in its middle puts into which file. */
type Moment = {
  readonly end: ProcessEnd
  readonly half: { readonly path: string; readonly bytes: Uint8Array } | null
}

/**
 * Passes every system call on, until the one that `fault` names (counted from 0).
 * @param onMoment called at each end of `endsOf` while the calls go on, except the one before all calls
 */
export function failingFiles(
  real: WriteFiles,
  fault: InjectedFault | null,
  onMoment: ((moment: Moment) => void) | null = null,
): FailingFiles {
  const calls: string[] = []
  let dead = false
  const killed = () => new Killed(`the process ended at call ${calls.length - 1} (${calls.at(-1) ?? ''})`)

  async function call<T>(name: string, work: () => Promise<T>, half?: () => Promise<unknown>): Promise<T> {
    if (dead) throw killed()
    const mine = calls.length === fault?.at
    calls.push(name)
    if (!mine || fault === null) {
      const at = calls.length - 1
      try {
        return await work()
      } finally {
        if (onMoment !== null && !READING.test(name)) onMoment({ end: { at, kind: 'after' }, half: null })
      }
    }
    if ('code' in fault)
      throw Object.assign(new Error(`${fault.code}: injected at ${name}`), { code: fault.code })
    dead = true
    if (fault.kind === 'after') await work()
    if (fault.kind === 'half') await half?.()
    throw killed()
  }

  const opened = (file: OpenFile, path: string): OpenFile => ({
    write: (bytes) => {
      const half = bytes.subarray(0, Math.floor(bytes.length / 2))
      return call(
        `write ${path}`,
        () => {
          onMoment?.({ end: { at: calls.length - 1, kind: 'half' }, half: { path, bytes: half } })
          return file.write(bytes)
        },
        () => file.write(half),
      )
    },
    setMode: (mode) => call(`chmod ${path}`, () => file.setMode(mode)),
    setOwner: (uid, gid) => call(`chown ${path}`, () => file.setOwner(uid, gid)),
    truncate: (size) => call(`truncate ${path}`, () => file.truncate(size)),
    sync: () => call(`fsync ${path}`, () => file.sync()),
    stat: () => call(`fstat ${path}`, () => file.stat()),
    // A process that ends closes its files: the descriptor must not leak into the test.
    close: () =>
      dead
        ? file.close()
        : call(
            `close ${path}`,
            () => file.close(),
            () => file.close(),
          ),
  })

  const files: WriteFiles = {
    stat: (path) => call(`stat ${path}`, () => real.stat(path)),
    realPath: (path) => call(`realpath ${path}`, () => real.realPath(path)),
    mayWrite: (path) => call(`access ${path}`, () => real.mayWrite(path)),
    read: async function* (path, range) {
      await call(`read ${path}`, async () => undefined)
      yield* real.read(path, range)
    },
    create: async (path, mode) => opened(await call(`create ${path}`, () => real.create(path, mode)), path),
    openEnd: async (path) => opened(await call(`open ${path}`, () => real.openEnd(path)), path),
    rename: (from, to) => call(`rename ${to}`, () => real.rename(from, to)),
    link: (from, to) => call(`link ${to}`, () => real.link(from, to)),
    unlink: (path) => call(`unlink ${path}`, () => real.unlink(path)),
    syncFolder: (path) => call(`fsync ${path}/`, () => real.syncFolder(path)),
    makeFolder: (path) => call(`mkdir ${path}`, () => real.makeFolder(path)),
    list: (folder) => call(`readdir ${folder}`, () => real.list(folder)),
    touch: (path, at) => call(`utimes ${path}`, () => real.touch(path, at)),
    folderOf: (path) => real.folderOf(path),
    nameOf: (path) => real.nameOf(path),
    join: (...parts) => real.join(...parts),
  }
  return { files, calls, killed: () => dead }
}
