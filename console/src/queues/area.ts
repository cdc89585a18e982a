import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import type { Place } from '../shell/navigation';
import { root } from '../shell/root';

const all = createRoute({ getParentRoute: () => root, path: '/queues', component: lazyRouteComponent(() => import('./Queues'), 'Queues') });

export const routes = [all] as const;

export const places: Place[] = [
  { name: 'queues.title', icon: 'clock', to: '/queues', group: 'installation', needs: ['QUEUES_READ'] },
];
