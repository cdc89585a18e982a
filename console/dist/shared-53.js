var r=e=>e;export{r as a};
