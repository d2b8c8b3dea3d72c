import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { reasonOf } from '../../core/words/reason-of'
import { errorCode, kindOf } from './regular-file'

/** A larger file is refused. Bytes. */
const MAX_SIZE = 256 * 1024 * 1024

export type JsonFile<T> = {
  /** null: the file is absent or cannot be used. */
  readonly value: T | null
  /** Why it cannot be used; absent when it is fine or simply not there. */
  readonly problem?: string
}

type Remembered<T> = JsonFile<T> & { readonly stamp: string }

/** Reads files of one kind and remembers each until it changes. Never throws. */
export class JsonFiles<T> {
  private readonly remembered = new Map<string, Remembered<T>>()
  private readonly read: (text: string) => T | null
  private readonly maxSize: number

  /**
   * @param read makes the value; throws or answers null when the text is not what it should be.
   * @param maxSize where `read` takes long over a large file. Bytes.
   */
  constructor(read: (text: string) => T | null, maxSize = MAX_SIZE) {
    this.read = read
    this.maxSize = maxSize
  }

  get(file: string): JsonFile<T> {
    const stamp = stampOf(file)
    if (stamp === null) return { value: null }
    const known = this.remembered.get(file)
    if (known?.stamp === stamp) return known
    const fresh = { ...this.load(file), stamp }
    this.remembered.set(file, fresh)
    return fresh
  }

  private load(file: string): JsonFile<T> {
    try {
      const text = readRegular(file, this.maxSize)
      if (text.trim() === '') return { value: null, problem: `${file} is empty (0 bytes)` }
      const value = this.read(text)
      return value === null ? { value, problem: `${file} does not hold what it should` } : { value }
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return { value: null }
      const why = reasonOf(error)
      return { value: null, problem: `${file} cannot be read: ${why}` }
    }
  }
}

function stampOf(file: string): string | null {
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    return stat === undefined ? null : `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs}`
  } catch {
    // Unreadable on the way there; `load` says why.
    return ''
  }
}

function readRegular(file: string, maxSize: number): string {
  const fd = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) throw new Error(`it is ${kindOf(stat)}, not a regular file`)
    if (stat.size > maxSize) throw new Error(`it has ${stat.size} bytes; more than ${maxSize} are not read`)
    return readFileSync(fd, 'utf8').replace(/^\uFEFF/, '')
  } finally {
    closeSync(fd)
  }
}
