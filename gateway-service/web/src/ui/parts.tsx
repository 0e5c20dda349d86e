import { Component, h, type ComponentChildren, type ComponentType, type VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

/** Draws a component again only when one of its properties is another one. */
export function memo<P extends object>(of: (props: P) => VNode | null): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const before = this.props as Record<string, unknown>
      return Object.entries(next).some(([name, value]) => before[name] !== value)
    }
    override render(): VNode {
      return h(of as never, this.props as never)
    }
  } as unknown as ComponentType<P>
}

const PATHS = {
  plus: 'M12 5v14M5 12h14',
  send: 'M12 19V5M6 11l6-6 6 6',
  stop: 'M8 8h8v8H8z',
  menu: 'M4 7h16M4 12h16M4 17h10',
  close: 'M6 6l12 12M18 6L6 18',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  done: 'M5 13l4 4L19 7',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  again: 'M20 11a8 8 0 1 0-2.3 5.7M20 5v6h-6',
  code: 'M9 7l-5 5 5 5M15 7l5 5-5 5',
  bin: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  down: 'M12 5v14M6 13l6 6 6-6',
  chevron: 'M9 6l6 6-6 6',
  tool: 'M14 6a4 4 0 0 1 5 5l-9 9-4-4 9-9zM5 20l1-1',
  braces: 'M9 4c-4 0-1 8-5 8 4 0 1 8 5 8M15 4c4 0 1 8 5 8-4 0-1 8-5 8',
  text: 'M5 6h14M5 11h14M5 16h9',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4l3 2',
  key: 'M14 10a4 4 0 1 0-3 4l2-1v-2h2V9zM4 20l7-7',
} as const

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}

interface IconButtonProps {
  label: string
  icon: keyof typeof PATHS
  onClick: () => void
  class?: string
}

export function IconButton({ label, icon, onClick, class: more = '' }: IconButtonProps) {
  return (
    <button type="button" class={`ghost ${more}`} aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}

export function CopyButton({ text, label = 'Copy' }: { text: () => string; label?: string }) {
  const [done, setDone] = useState(false)
  const copy = () => {
    write(text()).then(() => {
      setDone(true)
      setTimeout(() => setDone(false), 1_500)
    }, () => {})
  }
  return <IconButton label={done ? 'Copied' : label} icon={done ? 'done' : 'copy'} onClick={copy} />
}

/** The clipboard of today is missing where the page came over plain HTTP from another machine. */
async function write(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
}

/** A modal dialog: the browser keeps the focus inside, and Escape closes it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const outside = (event: MouseEvent) => {
    if (event.target === dialog.current) dialog.current?.close()
  }
  return (
    <dialog ref={dialog} aria-label={title} onClose={onClose} onClick={outside}>
      <div class="dialog">
        <header>
          <h2>{title}</h2>
          <IconButton label="Close" icon="close" onClick={() => dialog.current?.close()} />
        </header>
        {children}
      </div>
    </dialog>
  )
}
