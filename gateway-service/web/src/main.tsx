import { render } from 'preact'
import { App } from './app'
import { readSetting } from './store'
import { Page } from './ui/page'
import { showTheme } from './ui/theme'
import './style.css'

showTheme(readSetting('theme', 'system'))
const app = new App()
render(<Page app={app} />, document.getElementById('page')!)
void app.start()
