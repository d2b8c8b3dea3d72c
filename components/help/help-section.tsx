import type { ReactNode } from 'react'

/** One part of the help with its own address. */
export function HelpSection({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="laid-out-late border-t border-line pt-4">
      <h2 id={id} className="mb-2 text-title">
        <a href={`#${id}`} className="hover:underline">
          {title}
        </a>
      </h2>
      <div className="flex max-w-[80ch] flex-col gap-3">{children}</div>
    </section>
  )
}
