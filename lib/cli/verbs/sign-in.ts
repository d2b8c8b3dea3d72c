import * as z from 'zod'
import { readToken, TokenError, tokenFile } from '../../config/token'
import { environmentOrFail } from '../choose/setup-or-fail'
import { CliError, EXIT, type ExitCode, type Io } from '../io'
import { write, writeJson } from '../print/output'
import { urlHost } from '../serve/address'

export type SignInOptions = { readonly host?: string; readonly port?: number; readonly json?: boolean }

const PATIENCE_MS = 10_000

const answerShape = z.object({ path: z.string().startsWith('/') })

/** Asks the dashboard that runs for a link that signs a browser in once, with the token that only its owner can read. */
export async function signIn(io: Io, options: SignInOptions): Promise<ExitCode> {
  const { token: given, home, host, port } = environmentOrFail(io)
  const address = `http://${urlHost(options.host ?? host)}:${options.port ?? port}`
  const token = given ?? tokenOf(home)
  if (token === null) {
    throw new CliError(
      EXIT.refused,
      `There is no token at ${tokenFile(home)}: no dashboard was started with this state folder yet. Start one with: plimsoll serve`,
    )
  }
  const response = await ask(address, token)
  if (response.status === 401 || response.status === 429) {
    throw new CliError(
      EXIT.refused,
      response.status === 429
        ? `${address} takes no token for a while, after too many wrong ones. Try again in a minute.`
        : `${address} does not know this token: it runs with another state folder or another PLIMSOLL_TOKEN.`,
    )
  }
  const answer = answerShape.safeParse(await response.json().catch(() => null))
  if (!answer.success)
    throw new CliError(EXIT.refused, `${address} is not a Plimsoll, or one of another version.`)
  const link = address + answer.data.path
  if (options.json) await writeJson(io, { link })
  else await write(io.stdout, `${link}\n`)
  return EXIT.done
}

async function ask(address: string, token: string): Promise<Response> {
  try {
    return await fetch(`${address}/api/sign-in-link`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
  } catch {
    throw new CliError(
      EXIT.refused,
      `No dashboard answers at ${address}. Start one with: plimsoll serve. Name another place with --host and --port.`,
    )
  }
}

function tokenOf(home: string): string | null {
  try {
    return readToken(home)
  } catch (error) {
    if (error instanceof TokenError) throw new CliError(EXIT.refused, error.message)
    throw error
  }
}
