import { PageLink } from '@/components/ui/page-link'
import { helpKnobs } from '@/lib/view/help/help-knobs'

/** Every value of a policy: its key, what it decides, what may be there, its default. */
export function HelpKnobs() {
  return (
    <>
      <p>
        A policy is these values. Each key is below <code>policy:</code> in <code>plimsoll.yaml</code>. The{' '}
        <PageLink href="/policies" className="text-accent underline">
          Policies
        </PageLink>{' '}
        page changes them, and <code>plimsoll policy apply KEY=VALUE</code> does. A <code>*</code> in a key is
        a name that you choose: a model, a channel, a person.
      </p>
      <div>
        {helpKnobs().map(({ id, title, about, knobs }) => (
          <details key={id} className="border-t border-line py-2">
            <summary className="cursor-pointer">
              <span className="font-medium">{title}</span> <span className="text-muted">{about}</span>
            </summary>
            <dl className="mt-2 flex flex-col gap-2 text-table">
              {knobs.map((knob) => (
                <div key={knob.path}>
                  <dt>
                    <span className="font-medium">{knob.label}</span>{' '}
                    <code className="break-all text-muted">{knob.path}</code>
                  </dt>
                  <dd>
                    {knob.about}
                    {knob.options.map((option) => (
                      <span key={option.value} className="block">
                        <code>{option.value}</code>: {option.about}
                      </span>
                    ))}
                    <span className="block text-label text-muted">
                      {knob.initial !== null && `default ${knob.initial}; `}
                      {knob.allowed}
                    </span>
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        ))}
      </div>
    </>
  )
}
