// What every screen's route is below. The areas' routes name it, so it names none of them.
import { createRootRoute } from '@tanstack/react-router';

export const root = createRootRoute();
