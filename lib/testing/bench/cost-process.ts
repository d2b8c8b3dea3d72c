import { spawn } from 'node:child_process'
import { type CostStep, openAppends, openColdImport, type SteppedWork } from './cold-import'

/** What a process measures, as plain data. */
export type CostWork =
  | { readonly kind: 'import'; readonly asked: Parameters<typeof openColdImport>[0] }
  | { readonly kind: 'appends'; readonly asked: Parameters<typeof openAppends>[0] }

/** The same work as `SteppedWork`, in a separate process. */
export type CostProcess = { step(): Promise<CostStep>; end(): Promise<void> }

type Answer = { readonly step: CostStep } | { readonly ready: true } | { readonly problem: string }

const SCRIPT = `const [file, work] = process.argv.slice(1)
const { answerSteps } = await import(file)
await answerSteps(JSON.parse(work))`

/**
 * Runs in the process: does a step whenever it is asked for one. Garbage is collected when there is too much of it, as in
 * an import: a collection that is forced throws away what was learned of the shapes of objects, and has all code that
 * rests on it compiled once more, step after step.
 */
export async function answerSteps(work: CostWork): Promise<void> {
  const say = (answer: Answer) => process.send?.(answer)
  try {
    const stepped: SteppedWork =
      work.kind === 'import' ? await openColdImport(work.asked) : await openAppends(work.asked)
    process.on('disconnect', () => {
      stepped.close()
      process.exit()
    })
    process.on('message', () => {
      stepped.step().then(
        (step) => say({ step }),
        (error: unknown) => say({ problem: String(error) }),
      )
    })
    say({ ready: true })
  } catch (error) {
    say({ problem: String(error) })
    process.disconnect()
  }
}

/** The room for young objects that threads of an import have (`import-pool.ts`): three such spaces of so many MB. */
const YOUNG = '--max-semi-space-size=32'

/** Starts a process for a work: what was compiled and gathered for one must not help the other. */
export async function startCost(cwd: string, work: CostWork): Promise<CostProcess> {
  const child = spawn(
    process.execPath,
    [...[YOUNG, '--input-type=module', '--eval', SCRIPT], ...[import.meta.url, JSON.stringify(work)]],
    { cwd, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  )
  // Not `close`: that never comes once this side has ended the channel.
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const next = () =>
    new Promise<Answer>((resolve, reject) => {
      child.once('message', (answer: Answer) => resolve(answer))
      void ended.then(() => reject(new Error('The process that measures ended before its time')))
    })
  const ready = await next()
  if ('problem' in ready) throw new Error(ready.problem)
  return {
    step: async () => {
      const answered = next()
      child.send('step')
      const answer = await answered
      if (!('step' in answer)) throw new Error('problem' in answer ? answer.problem : 'No step was answered')
      return answer.step
    },
    end: async () => {
      child.disconnect()
      await ended
    },
  }
}
