import type { IntegrityRefusal } from '@/lib/view/repair/integrity'

const PROVIDERS = ['Anthropic', 'OpenAI', 'Google', 'Mistral'] as const

/** For each provider whether it would take the history, else why not. */
export function RefusalList({
  refusals,
  left,
}: {
  refusals: readonly IntegrityRefusal[]
  /** Refusals that would be left after a repair. */
  left: number
}) {
  return (
    <div className="flex flex-col gap-2">
      <dl className="flex flex-col gap-2">
        {PROVIDERS.map((provider) => (
          <Provider
            key={provider}
            name={provider}
            refusals={refusals.filter(({ family }) => family === provider)}
          />
        ))}
      </dl>
      {refusals.some(({ healed }) => !healed) && (
        <p className="text-table text-muted">
          {left === 0 ? 'A repair leaves nothing that these would refuse.' : 'A repair leaves some of this.'}
        </p>
      )}
    </div>
  )
}

function Provider({ name, refusals }: { name: string; refusals: readonly IntegrityRefusal[] }) {
  const hard = refusals.filter(({ healed }) => !healed)
  const own = refusals.some((refusal) => refusal.own)
  return (
    <div className="flex flex-col gap-x-4 sm:flex-row">
      <dt className="w-40 shrink-0 font-medium">
        {name}
        {own && <span className="ml-2 text-label font-normal text-muted">answered last</span>}
      </dt>
      <dd className="min-w-0 text-table">
        <p className={hard.length > 0 ? 'text-danger' : 'text-ok'}>
          {hard.length > 0
            ? 'would refuse it'
            : refusals.length > 0
              ? 'takes it, once put in form'
              : 'takes it'}
        </p>
        <ul>
          {refusals.map(({ words, line, healed }) => (
            <li key={words} className="isolate-text max-w-[80ch] break-words text-muted">
              {`because ${words}, line ${line}${healed ? '; pi and OpenClaw put this right when they send' : ''}`}
            </li>
          ))}
        </ul>
      </dd>
    </div>
  )
}
