import { resolve } from 'node:path'
import { Command, CommanderError } from 'commander'
import { version } from '../../package.json'
import { reasonOf } from '../core/words/reason-of'
import { changingVerbs } from './changing-verbs'
import { EXIT, type ExitCode, type Io, isCliError } from './io'
import { keepingVerbs } from './keeping-verbs'
import { note, writeJson } from './print/output'
import { readingVerbs } from './reading-verbs'
import type { AddVerb } from './verb'

/** Runs one command line and answers its exit code; never throws, never ends the process. */
export async function main(io: Io): Promise<ExitCode> {
  let exit: ExitCode = EXIT.done
  const program = makeProgram(io, (code) => {
    exit = code
  })
  // A reader that closes our output early is no error.
  io.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  try {
    await program.parseAsync([...io.argv], { from: 'user' })
    return exit
  } catch (error) {
    if (error instanceof CommanderError) return reportUse(io, error)
    return report(io, error)
  }
}

/** Commander has printed what is wrong; a program needs its one document nevertheless. */
async function reportUse(io: Io, { exitCode, message }: CommanderError): Promise<ExitCode> {
  if (exitCode === 0) return EXIT.done
  if (io.argv.includes('--json'))
    await writeJson(io, { error: { code: 'usage', message: message.replace(/^error: /, '') } })
  return EXIT.usage
}

async function report(io: Io, error: unknown): Promise<ExitCode> {
  const known = isCliError(error)
  const message = reasonOf(error)
  if (io.argv.includes('--json')) {
    const code = known
      ? (Object.entries(EXIT).find(([, value]) => value === error.exit)?.[0] ?? 'fault')
      : 'fault'
    await writeJson(io, { error: { code, message, ...(known ? error.details : {}) } })
  }
  await note(io, `plimsoll: ${message}`)
  if (!known && io.env.PLIMSOLL_DEBUG && error instanceof Error) await note(io, error.stack ?? '')
  return known ? error.exit : EXIT.fault
}

function makeProgram(io: Io, finish: (code: ExitCode) => void): Command {
  const program = new Command('plimsoll')
    .description('See what fills the context windows of LLM agents.')
    .version(version, '-V, --version')
    .option('--config <file>', 'the settings file, instead of the known places')
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.stdout.write(text), writeErr: (text) => io.stderr.write(text) })
    .showHelpAfterError('(plimsoll --help lists what there is)')

  const add: AddVerb = (usage, description, options, load, pack) => {
    const isDefault = usage === DEFAULT_VERB && namesNoVerb(io.argv)
    const command = program.command(usage, { isDefault }).description(description)
    for (const option of options) command.addOption(option)
    command.action(async (...given: unknown[]) => {
      const self = given.at(-1) as Command
      const verb = await load()
      finish(
        await verb(withConfig(io, program.opts().config), pack({ args: self.args, options: self.opts() })),
      )
    })
  }

  program.commandsGroup('Look:')
  readingVerbs(add)
  program.commandsGroup('Decide, change, take back:')
  changingVerbs(add)
  program.commandsGroup('What was dropped, logged or learned:')
  keepingVerbs(add)
  program.addHelpText('after', HELP)
  return program
}

/** What `plimsoll` alone does. */
const DEFAULT_VERB = 'serve'

/** Whether the first word is an option of a verb, or there is none. A first word that is no verb is a mistake. */
function namesNoVerb(argv: readonly string[]): boolean {
  const [first] = argv[0] === '--config' ? argv.slice(2) : argv
  return first === undefined || first.startsWith('-')
}

/** A settings file that is named counts like one in the environment, for whatever a verb starts, too. */
function withConfig(io: Io, config: unknown): Io {
  return typeof config === 'string'
    ? { ...io, env: { ...io.env, PLIMSOLL_CONFIG: resolve(io.cwd, config) } }
    : io
}

const HELP = `
Without a verb: serve.
SESSION is a session id, a session key, the unique beginning of either, or a transcript file.
Exit codes: 0 done, 1 a check says no, 2 wrong use, 3 refused, 4 input unreadable, 5 fault.`
