import { join } from 'node:path'
import { migrateDatabase, type Setup } from '../../compose/open'
import { StateFolderError } from '../../config/paths'
import { ensureToken, newSignInCode, secretHash, TokenError } from '../../config/token'
import { decideBind } from '../../core/access/bind-address'
import { databaseRefusal, setupWithWarnings } from '../choose/setup-or-fail'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { note, write } from '../print/output'
import { urlHost } from '../serve/address'
import { type Child, startChild } from '../serve/child'
import { keepRunning } from '../serve/keep-running'
import { forgetOpened, openBrowser } from '../serve/open-browser'
import { portRefusal } from '../serve/port-refusal'
import { findWebScript, startWebServer, type WebScript, waitUntilItAnswers } from '../serve/web-server'

export type ServeOptions = {
  readonly host?: string
  readonly port?: number
  /** In the operator's browser, once it answers. */
  readonly open?: boolean
  /** Every account on this machine is let in. */
  readonly openToLocalUsers?: boolean
}

/** The dashboard: migrations, then the web server and a reader of stores beside it, until it is stopped. */
export async function serve(io: Io, options: ServeOptions): Promise<ExitCode> {
  const setup = await setupWithWarnings(io)
  const host = options.host ?? setup.environment.host
  const open = options.openToLocalUsers === true || setup.environment.openToLocalUsers
  const bind = decideBind({ host, token: setup.environment.token, open })
  if (!bind.ok) throw new CliError(EXIT.refused, bind.message)
  const script = webScriptOrFail(io)
  const hostname = host.replace(/^\[|\]$/g, '')
  const wanted = options.port ?? setup.environment.port
  const refusal = await portRefusal(hostname, wanted)
  if (refusal !== null) throw new CliError(EXIT.refused, refusal)
  await applyMigrations(setup)
  const token = open ? null : tokenOrFail(setup.environment)
  const code = newSignInCode()

  const stopped = io.untilStopped()
  const stopAll = new AbortController()
  const signal = AbortSignal.any([stopped, stopAll.signal])
  const env = {
    ...io.env,
    PLIMSOLL_HOST: host,
    PLIMSOLL_OPEN_TO_LOCAL_USERS: open ? '1' : '0',
    // The web server runs in another folder; it is to find the same settings file.
    PLIMSOLL_STARTED_IN: io.cwd,
    ...(setup.environment.configFile === null ? {} : { PLIMSOLL_CONFIG: setup.environment.configFile }),
  }
  const web = startWebServer({
    root: io.root,
    script,
    // Only the hash of the code: what the server starts itself gets its environment, too.
    env: open ? env : { ...env, PLIMSOLL_SIGN_IN_LINK: secretHash(code) },
    hostname,
    port: wanted,
    onFault: (line) => void note(io, line),
  })
  // Also when we are stopped before it answers.
  signal.addEventListener('abort', () => void web.stop())
  const reader = keepRunning({
    start: () => startReader(io, env),
    signal,
    now: Date.now,
    onEnd: ({ code }, pauseMs) => {
      const why =
        code === EXIT.done
          ? 'The settings name other stores; the reader of stores ended'
          : `The reader of stores ended (exit code ${code ?? 'none'})`
      void note(io, `${why}; it starts again in ${pauseMs / 1000} s.`)
    },
  })
  const port = wanted || (await web.port)
  const address = `http://${urlHost(host)}:${port}/`
  const ready = port !== null && (await waitUntilItAnswers(address, token, web, signal))
  if (ready) {
    await write(io.stdout, greeting(address, setup, open ? null : code))
    if (options.open === true) {
      const { home } = setup.environment
      const problem = await openBrowser(open ? address : `${address}?token=${code}`, home, io.env)
      if (problem !== null) await note(io, problem)
    }
  }
  const end = await web.ended
  stopAll.abort()
  await reader
  if (options.open === true) forgetOpened(setup.environment.home)
  if (stopped.aborted) return EXIT.done
  throw new CliError(
    EXIT.fault,
    `The web server ended by itself (exit code ${end.code ?? 'none'}); its messages are above.`,
  )
}

/** @param code of the link that signs a browser in; null where no sign-in is needed */
function greeting(address: string, { environment }: Setup, code: string | null): string {
  const access =
    code === null
      ? 'Every account on this machine can look and act as you (--open-to-local-users).'
      : `Sign in with this link, once and within an hour: ${address}?token=${code}\nA new link: plimsoll sign-in`
  return `Plimsoll is at ${address}\n${access}\nState folder: ${environment.home}\nCtrl-C stops it.\n`
}

function tokenOrFail({ token, home }: Setup['environment']): string {
  try {
    return token ?? ensureToken(home)
  } catch (error) {
    if (error instanceof TokenError || error instanceof StateFolderError)
      throw new CliError(EXIT.refused, error.message)
    throw error
  }
}

function webScriptOrFail({ root, env }: Io): WebScript {
  const script = findWebScript(root, env.PLIMSOLL_DIST)
  if (script !== null) return script
  throw new CliError(
    EXIT.refused,
    'The dashboard is not built yet. In a checkout, run: npm run build (npm start does it by itself).',
  )
}

async function applyMigrations({ environment }: Setup): Promise<void> {
  const migrated = await migrateDatabase(environment)
  if (!migrated.ok) throw databaseRefusal(migrated)
}

function startReader(io: Io, env: Io['env']): Child {
  return startChild({
    args: [join(io.root, 'lib', 'cli', 'bin.cjs'), 'ingest', '--watch', '--beside-dashboard'],
    cwd: io.cwd,
    env,
    onLine: (line) => {
      if (line.trim() !== '') void note(io, line)
    },
  })
}
