import { useState } from 'preact/hooks'
import { code, LANGUAGES, type Language } from '../request'
import { readSetting, writeSetting } from '../store'
import type { ResponseRequest } from '../wire'
import { CodeBlock } from './markdown'
import { Dialog } from './parts'

/** The request of an answer as code to copy; the key stays out of it. */
export function CodeDialog({ request, onClose }: { request: ResponseRequest; onClose: () => void }) {
  const [language, setLanguage] = useState<Language>(readSetting('language', 'curl'))
  const choose = (chosen: Language) => {
    writeSetting('language', chosen)
    setLanguage(chosen)
  }
  return (
    <Dialog title="The same request as code" onClose={onClose}>
      <fieldset class="segments">
        <legend class="hidden">Language</legend>
        {LANGUAGES.map(one => (
          <label key={one}>
            <input type="radio" name="language" checked={one === language} onChange={() => choose(one)} />
            <span>{one}</span>
          </label>
        ))}
      </fieldset>
      <CodeBlock text={code(language, request, location.origin)} language={language} />
      <p class="note">The key comes from the variable COUNTERPOINT_API_KEY.</p>
    </Dialog>
  )
}
