import './app.css';
import { createRoot } from 'react-dom/client';

createRoot(document.getElementById('app')!).render(<main><h1>Vezne</h1></main>);
