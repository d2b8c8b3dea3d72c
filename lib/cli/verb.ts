import { Option } from 'commander'
import { parseEach } from './choose/parse-values'
import type { ExitCode, Io } from './io'

/** A verb's work; its module is loaded only when it is asked for. */
type Verb<Options> = (io: Io, options: Options) => Promise<ExitCode>

/** What was given on the command line: arguments, and options by their names. */
export type Given = { readonly args: string[]; readonly options: Record<string, unknown> }

/** Adds a verb; commander hands over its arguments and options, which `pack` turns into one object. */
export type AddVerb = <Options>(
  usage: string,
  description: string,
  options: readonly Option[],
  load: () => Promise<Verb<Options>>,
  pack: (given: Given) => Options,
) => void

export const JSON_OPTION = new Option('--json', 'one JSON document on standard output')
export const POLICY = new Option(
  '--policy <name>',
  'a draft: a preset or a policy file, instead of what is in force',
)
export const REVEAL_OPTION = new Option('--reveal', 'show credentials, which are covered otherwise')

/** Of every verb that reads stores. */
export const READING: readonly Option[] = [
  JSON_OPTION,
  new Option('--store <path>', 'read this store instead of the configured ones (repeatable)').argParser(
    parseEach,
  ),
]

/** Options alone. */
export function plain<Options>({ options }: Given): Options {
  return options as Options
}

/** Options, and the session that is named. */
export function withSession<Options>({ args, options }: Given): Options {
  return { ...options, session: args[0] } as Options
}

/** Options, what is named first (a session, or what is to be done), and the ids behind it. */
export function withSubject<Options>({ args, options }: Given): Options {
  return { ...options, what: args[0], ids: args.slice(1) } as Options
}
