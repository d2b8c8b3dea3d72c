import path from 'node:path'
import type { Probe } from '../../engine/read/ports'

/** A place to look at, and why. */
export type Candidate = Pick<Probe, 'path' | 'kind' | 'why'> & {
  /** The folder of a runtime whose settings name this place; left out where the operator or we do. */
  readonly namedBy?: string
}

export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user's home folder when the environment names none. */
  readonly home: string
}

/** HOME, USERPROFILE, else the system's answer. */
export function userHome({ env, home }: Surroundings): string {
  return env.HOME || env.USERPROFILE || home
}

/** A path as its owner writes it: absolute, or from `~`. */
export function fromHome(value: string, home: string): string {
  if (value === '~') return home
  return /^~[\\/]/.test(value) ? path.join(home, value.slice(2)) : path.resolve(value)
}
