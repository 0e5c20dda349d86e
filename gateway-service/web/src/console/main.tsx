import { render } from 'preact'
import { readSetting } from '../store'
import { showTheme } from '../ui/theme'
import { Console } from './console'
import '../style.css'
import './console.css'

showTheme(readSetting('theme', 'system'))
render(<Console />, document.getElementById('page')!)
