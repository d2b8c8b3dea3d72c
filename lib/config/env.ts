import { homedir } from 'node:os'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import * as z from 'zod'
import { DATABASE_FILE } from './paths'

/** Where the dashboard listens when nothing else is said. */
export const DEFAULT_HOST = '127.0.0.1'
const DEFAULT_PORT = 4747

/** What the environment says, read once and checked. All paths are absolute. */
export type Environment = {
  /** State folder: database, backups, receipts, logs. */
  readonly home: string
  /** Folder of the operator's settings file. */
  readonly configFolder: string
  /** Settings file named by the environment. */
  readonly configFile: string | null
  /** Folder that `serve` was started in, for its parts, which run in others; null for everybody else. */
  readonly startedIn: string | null
  /** Stores that replace the probing of known places; null = probe. */
  readonly stores: readonly string[] | null
  readonly databaseUrl: string
  readonly host: string
  readonly port: number
  /** Demanded from every request instead of the token of the state folder; needed beyond the loopback address. */
  readonly token: string | null
  /** Every account on this machine is let in without a token. */
  readonly openToLocalUsers: boolean
  readonly userHome: string
  /** OpenClaw's variables for its lock times, as they are; the locks read them as it does. */
  readonly lockVariables: Readonly<Record<string, string | undefined>>
}

export type EnvironmentResult =
  | { readonly ok: true; readonly environment: Environment }
  | { readonly ok: false; readonly problems: readonly string[] }

// An empty variable means the same as none: that is how shells and service files switch one off.
const text = z
  .string()
  .optional()
  .transform((value) => (value === undefined || value === '' ? null : value))

const shape = z.object({
  /** State folder, when the default under the home folder is not wanted (tests, several instances). */
  PLIMSOLL_HOME: text,
  /** The desktop convention for state folders; ours is `plimsoll` inside it. */
  XDG_STATE_HOME: text,
  /** The same for settings. */
  XDG_CONFIG_HOME: text,
  /** Stores to read instead of the known places: tests and demos must not see the operator's own. */
  PLIMSOLL_STORES: text,
  /** Settings file, when it is neither in the working folder nor in the settings folder. */
  PLIMSOLL_CONFIG: text,
  /** Set by `serve` for its parts, so that they find the same settings file. */
  PLIMSOLL_STARTED_IN: text,
  /** Database, when it should not be in the state folder. */
  DATABASE_URL: text.refine((value) => value === null || value.startsWith('file:'), {
    message: 'must begin with "file:" (an SQLite file)',
  }),
  /** Demanded from clients; needed when the server listens beyond the loopback address. Short ones can be guessed. */
  PLIMSOLL_TOKEN: text.refine((value) => value === null || value.length >= 16, {
    message: 'must have at least 16 characters',
  }),
  /** Lets every account on this machine in without a token; for machines that no other person uses. */
  PLIMSOLL_OPEN_TO_LOCAL_USERS: text.refine((value) => value === null || value === '0' || value === '1', {
    message: 'must be 1 or 0',
  }),
  /** Address to listen on. */
  PLIMSOLL_HOST: text,
  /** Port to listen on; 0 lets the system choose. */
  PLIMSOLL_PORT: text.refine(
    (value) => value === null || (/^\d{1,5}$/.test(value) && Number(value) <= 65535),
    {
      message: 'must be a whole number from 0 to 65535',
    },
  ),
  /** Base of `~`; tests set it. */
  HOME: text,
})

/** How OpenClaw waits for, keeps and releases the locks of its transcripts; ours must not differ. */
const lockShape = z.object({
  OPENCLAW_SESSION_WRITE_LOCK_ACQUIRE_TIMEOUT_MS: z.string().optional(),
  OPENCLAW_SESSION_WRITE_LOCK_STALE_MS: z.string().optional(),
  OPENCLAW_SESSION_WRITE_LOCK_MAX_HOLD_MS: z.string().optional(),
})

/** Checks the variables that we read and fills in defaults. `cwd` is what relative paths start from. */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
  cwd: string,
): EnvironmentResult {
  const parsed = shape.safeParse(variables)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      ({ path, message }) =>
        `Environment variable ${path.join('.')} is ${shown(String(path[0]), variables)}: it ${message}.`,
    )
    return { ok: false, problems }
  }
  const given = parsed.data
  const userHome = given.HOME ?? homedir()
  const absolute = (path: string) => absolutePath(path, cwd, userHome)
  const home = given.PLIMSOLL_HOME
    ? absolute(given.PLIMSOLL_HOME)
    : join(absoluteOr(given.XDG_STATE_HOME, join(userHome, '.local', 'state')), 'plimsoll')
  const environment: Environment = {
    home,
    configFolder: join(absoluteOr(given.XDG_CONFIG_HOME, join(userHome, '.config')), 'plimsoll'),
    configFile: given.PLIMSOLL_CONFIG ? absolute(given.PLIMSOLL_CONFIG) : null,
    startedIn: given.PLIMSOLL_STARTED_IN ? absolute(given.PLIMSOLL_STARTED_IN) : null,
    stores: given.PLIMSOLL_STORES
      ? given.PLIMSOLL_STORES.split(delimiter).filter(Boolean).map(absolute)
      : null,
    databaseUrl: given.DATABASE_URL
      ? absoluteUrl(given.DATABASE_URL, absolute)
      : `file:${join(home, DATABASE_FILE)}`,
    host: given.PLIMSOLL_HOST ?? DEFAULT_HOST,
    port: given.PLIMSOLL_PORT ? Number(given.PLIMSOLL_PORT) : DEFAULT_PORT,
    token: given.PLIMSOLL_TOKEN,
    openToLocalUsers: given.PLIMSOLL_OPEN_TO_LOCAL_USERS === '1',
    userHome,
    lockVariables: lockShape.parse(variables),
  }
  return { ok: true, environment }
}

/** A value as a message may repeat it; a secret, even one that is refused, it may not. */
function shown(name: string, variables: Readonly<Record<string, string | undefined>>): string {
  return name === 'PLIMSOLL_TOKEN' ? 'not accepted' : JSON.stringify(variables[name])
}

/** A path as people write it: absolute, from `~`, or from `base`. */
export function absolutePath(path: string, base: string, userHome: string): string {
  if (path === '~') return userHome
  if (path.startsWith('~/')) return join(userHome, path.slice(2))
  return resolve(base, path)
}

/** The XDG rules say that a relative path in one of their variables is to be ignored. */
function absoluteOr(path: string | null, fallback: string): string {
  return path !== null && isAbsolute(path) ? path : fallback
}

function absoluteUrl(url: string, absolute: (path: string) => string): string {
  return `file:${absolute(url.slice('file:'.length).replace(/^\/\/(?=\/)/, ''))}`
}
