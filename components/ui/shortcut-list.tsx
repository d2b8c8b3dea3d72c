import { SHORTCUT_GROUPS } from '@/lib/view/help/shortcuts'

/** Every key and what it does, by where it works. */
export function ShortcutList() {
  return (
    <>
      {SHORTCUT_GROUPS.map((group) => (
        <section key={group.title}>
          <h3 className="mb-1 text-label font-medium text-muted">{group.title}</h3>
          <dl className="text-table">
            {group.shortcuts.map((shortcut) => (
              <div
                key={shortcut.keys.join(' ')}
                className="flex items-center gap-3 border-b border-line py-1.5 last:border-0"
              >
                <dt className="flex w-28 shrink-0 gap-1">
                  {shortcut.keys.map((key) => (
                    <kbd key={key} className="rounded-sm border border-line-strong px-1.5 text-label">
                      {key}
                    </kbd>
                  ))}
                </dt>
                <dd>{shortcut.does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  )
}
