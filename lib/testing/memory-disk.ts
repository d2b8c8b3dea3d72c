import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { FileStat, OpenFile, WriteFiles } from '../engine/write/write-ports'

type Node = {
  readonly ino: string
  readonly kind: 'file' | 'folder' | 'link' | 'other'
  bytes: Uint8Array
  /** What a loss of power leaves of the bytes at least. */
  synced: Uint8Array
  mode: number
  uid: number
  gid: number
  mtimeNs: bigint
}

type Names = ReadonlyMap<string, Node>

/** Names of a folder after each change since it was last flushed; the last is how it looks now. */
type Folder = { history: Names[]; mtimeNs: bigint }

/**
 * Files in memory that know what a loss of power would leave: only flushed bytes are sure, and a folder may fall back to
 * any moment since it was last flushed. A twin of the real files for tests that need thousands of crashes.
 */
export class MemoryDisk implements WriteFiles {
  /** Bytes that can still be written. */
  room = Number.POSITIVE_INFINITY
  /** Paths that answer EACCES to whoever would write there. */
  readonly readOnly = new Set<string>()
  /** false: as on file systems without hard links. */
  hardLinks = true
  private readonly folders = new Map<string, Folder>([['/', { history: [new Map()], mtimeNs: 0n }]])
  private counter = 1
  private now = 1_000_000_000n

  stat = async (path: string): Promise<FileStat | null> => {
    const folder = this.folders.get(path)
    if (folder !== undefined) return this.seen({ ...FOLDER, mtimeNs: folder.mtimeNs })
    const node = this.find(path)
    return node === undefined ? null : this.seen(node)
  }

  realPath = async (path: string): Promise<string> => {
    if ((await this.stat(path)) === null) throw failure('ENOENT', path)
    return path
  }

  mayWrite = async (path: string): Promise<boolean> => !this.readOnly.has(path)

  read = async function* (
    this: MemoryDisk,
    path: string,
    range = { start: 0, end: Number.POSITIVE_INFINITY },
  ): AsyncGenerator<Uint8Array> {
    const { bytes } = this.demand(path)
    const end = Math.min(range.end, bytes.length)
    // In small pieces, so that readers show whether they can put them together; a long file in no more than some dozens.
    const piece = Math.max(64, Math.ceil(bytes.length / 50))
    for (let at = range.start; at < end; at += piece) yield bytes.slice(at, Math.min(at + piece, end))
  }.bind(this)

  create = async (path: string, mode: number): Promise<OpenFile> => {
    if (this.find(path)) throw failure('EEXIST', path)
    if (this.readOnly.has(this.folderOf(path))) throw failure('EACCES', path)
    const node: Node = { ...FOLDER, kind: 'file', ino: String(++this.counter), mode, mtimeNs: ++this.now }
    this.change(path, (names, name) => names.set(name, node))
    return this.open(node)
  }

  openEnd = async (path: string): Promise<OpenFile> => this.open(this.demand(path))

  rename = async (from: string, to: string): Promise<void> => {
    const node = this.demand(from)
    this.change(to, (names, name) => {
      if (this.folderOf(from) === this.folderOf(to)) names.delete(this.nameOf(from))
      names.set(name, node)
    })
    if (this.folderOf(from) !== this.folderOf(to)) await this.unlink(from)
  }

  link = async (from: string, to: string): Promise<void> => {
    if (!this.hardLinks) throw failure('EPERM', to)
    if (this.find(to)) throw failure('EEXIST', to)
    const node = this.demand(from)
    this.change(to, (names, name) => names.set(name, node))
  }

  unlink = async (path: string): Promise<void> => {
    this.demand(path)
    this.change(path, (names, name) => names.delete(name))
  }

  syncFolder = async (path: string): Promise<void> => {
    const folder = this.folder(path)
    folder.history = folder.history.slice(-1)
  }

  makeFolder = async (path: string): Promise<void> => {
    if (path !== '/') await this.makeFolder(this.folderOf(path))
    if (!this.folders.has(path)) this.folders.set(path, { history: [new Map()], mtimeNs: ++this.now })
  }

  list = async (path: string): Promise<readonly string[]> => [
    ...(this.folders.get(path)?.history.at(-1)?.keys() ?? []),
    ...[...this.folders.keys()]
      .filter((folder) => folder !== '/' && this.folderOf(folder) === path)
      .map(this.nameOf),
  ]

  touch = async (path: string, at: number): Promise<void> => {
    this.demand(path).mtimeNs = BigInt(at) * 1_000_000n
  }

  folderOf = posix.dirname
  nameOf = (path: string): string => posix.basename(path)
  join = posix.join

  /** The lights go out. @param chance numbers in [0, 1) that decide what was flushed by luck */
  losePower(chance: () => number): void {
    for (const folder of this.folders.values()) {
      const kept = folder.history[Math.floor(chance() * folder.history.length)] ?? new Map()
      folder.history = [kept]
    }
    const nodes = new Set(
      [...this.folders.values()].flatMap(({ history }) => [...(history[0]?.values() ?? [])]),
    )
    for (const node of nodes) {
      const luck = chance()
      const zeros = new Uint8Array(node.bytes.length)
      zeros.set(node.synced.subarray(0, zeros.length))
      node.bytes = luck < 1 / 3 ? node.synced : luck < 2 / 3 ? node.bytes : zeros
      node.synced = node.bytes
    }
  }

  /** Puts a flushed file there, for the beginning of a test. */
  async put(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
    await this.makeFolder(this.folderOf(path))
    const file = await this.create(path, mode)
    await file.write(typeof content === 'string' ? new TextEncoder().encode(content) : content)
    await file.sync()
    await this.syncFolder(this.folderOf(path))
  }

  /** A second disk in the same state, which goes its way without this one. */
  copy(): MemoryDisk {
    const twin = new MemoryDisk()
    twin.room = this.room
    twin.hardLinks = this.hardLinks
    twin.counter = this.counter
    twin.now = this.now
    for (const path of this.readOnly) twin.readOnly.add(path)
    // A file under several names, now or at an earlier moment, stays one file. Bytes are replaced, never changed in place.
    const nodes = new Map<Node, Node>()
    const twinOf = (node: Node) => {
      const known = nodes.get(node) ?? { ...node }
      nodes.set(node, known)
      return known
    }
    for (const [path, { history, mtimeNs }] of this.folders)
      twin.folders.set(path, {
        history: history.map((names) => new Map([...names].map(([name, node]) => [name, twinOf(node)]))),
        mtimeNs,
      })
    return twin
  }

  /** All that a process can find on this disk, in one string: on two disks of one state it finds the same. */
  state(): string {
    const folders = [...this.folders].map(([path, { history, mtimeNs }]) => {
      const names = [...(history.at(-1) ?? [])].map(([name, { kind, ino, bytes, ...of }]) =>
        [name, kind, ino, of.mode, of.uid, of.gid, of.mtimeNs, hashOf(bytes)].join(' '),
      )
      return [path, String(mtimeNs), names]
    })
    const { room, hardLinks, readOnly } = this
    return JSON.stringify([folders, String(room), hardLinks, [...readOnly]])
  }

  /** What is there now; null when nothing does. */
  text(path: string): string | null {
    const node = this.find(path)
    return node === undefined ? null : new TextDecoder().decode(node.bytes)
  }

  /** Adds to the end of a file, as a write does. */
  append(path: string, bytes: Uint8Array): void {
    this.grow(this.demand(path), bytes)
  }

  private grow(node: Node, bytes: Uint8Array): void {
    this.room -= bytes.length
    const grown = new Uint8Array(node.bytes.length + bytes.length)
    grown.set(node.bytes)
    grown.set(bytes, node.bytes.length)
    node.bytes = grown
    node.mtimeNs = ++this.now
  }

  private open(node: Node): OpenFile {
    return {
      write: async (bytes) => {
        const taken = Math.min(bytes.length, this.room)
        if (taken === 0 && bytes.length > 0) throw failure('ENOSPC', 'write')
        this.grow(node, bytes.subarray(0, taken))
        return taken
      },
      setMode: async (mode) => {
        node.mode = mode
      },
      setOwner: async (uid, gid) => {
        node.uid = uid
        node.gid = gid
      },
      truncate: async (size) => {
        node.bytes = node.bytes.slice(0, size)
        node.mtimeNs = ++this.now
      },
      sync: async () => {
        node.synced = node.bytes
      },
      stat: async () => this.seen(node),
      close: async () => undefined,
    }
  }

  private seen({ kind, ino, bytes, mtimeNs, mode, uid, gid }: Node): FileStat {
    let links = 0
    for (const { history } of this.folders.values()) {
      for (const node of history.at(-1)?.values() ?? []) if (node.ino === ino) links++
    }
    return {
      kind,
      what: kind === 'file' ? 'a file' : kind === 'folder' ? 'a folder' : 'a device',
      dev: '1',
      ino,
      size: bytes.length,
      mtimeNs: String(mtimeNs),
      mode,
      uid,
      gid,
      links,
    }
  }

  private find(path: string): Node | undefined {
    return this.folders.get(this.folderOf(path))?.history.at(-1)?.get(this.nameOf(path))
  }

  private demand(path: string): Node {
    const node = this.find(path)
    if (node === undefined) throw failure('ENOENT', path)
    return node
  }

  private folder(path: string): Folder {
    const folder = this.folders.get(path)
    if (folder === undefined) throw failure('ENOENT', path)
    return folder
  }

  private change(path: string, edit: (names: Map<string, Node>, name: string) => unknown): void {
    const folder = this.folder(this.folderOf(path))
    const names = new Map(folder.history.at(-1))
    edit(names, this.nameOf(path))
    folder.history.push(names)
    folder.mtimeNs = ++this.now
  }
}

const FOLDER: Node = {
  ino: '1',
  kind: 'folder',
  bytes: new Uint8Array(),
  synced: new Uint8Array(),
  mode: 0o700,
  uid: 0,
  gid: 0,
  mtimeNs: 0n,
}

const hashes = new WeakMap<Uint8Array, string>()

/** Bytes of a disk are replaced, never changed in place. */
function hashOf(bytes: Uint8Array): string {
  const known = hashes.get(bytes) ?? createHash('sha256').update(bytes).digest('base64')
  hashes.set(bytes, known)
  return known
}

function failure(code: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${path}`), { code })
}
